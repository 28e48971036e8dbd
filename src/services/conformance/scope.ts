import { dirname } from "node:path";
import { HandlerError } from "../../base/mod.ts";
import {
  copyFile,
  ensureFolder,
  openInside,
  readBytes,
  removeAll,
  statIfThere,
  walkFiles,
  writeInside,
} from "../../platform/mod.ts";
import { compileFileFinder } from "../../schema/mod.ts";
import type { Interface } from "../interface.ts";
import { mediaTypeOf } from "../router/media.ts";
import type { ConformanceCase, GeneratedFile, OutputFile } from "./expectation.ts";

const CHUNK = 64 * 1024;

/** The folder that a check's calls see: the fixtures, the generated file of the running case, and what the calls write. */
export class CheckScope {
  readonly #folder: string;
  readonly #fixtures: string;
  readonly #tools: Interface["tools"];

  private constructor(folder: string, fixtures: string, tools: Interface["tools"]) {
    this.#folder = folder;
    this.#fixtures = fixtures;
    this.#tools = tools;
  }

  /** Lays an interface's fixtures into an empty folder. */
  static async lay({ folder, tools }: Interface, into: string): Promise<CheckScope> {
    const fixtures = `${folder}/conformance`;
    for (const { path, kind } of await walkFiles(fixtures)) {
      if (kind !== "file" || path === "cases.toml") continue;
      await ensureFolder(dirname(`${into}/${path}`));
      await copyFile(`${fixtures}/${path}`, `${into}/${path}`);
    }
    return new CheckScope(into, fixtures, tools);
  }

  /** Makes the case's generated file, and the folders of its output files. */
  async prepare(one: ConformanceCase): Promise<void> {
    const { generate } = one;
    const made = [...this.#outputNames(one), ...(generate ? [generate.path] : [])];
    for (const name of made) await ensureFolder(dirname(`${this.#folder}/${name}`));
    if (generate) await writeInside(this.#folder, generate.path, generated(generate, this.#fixtures));
  }

  /** The files that the case's call has written, by the names that its input gives them. */
  async outputs(one: ConformanceCase): Promise<ReadonlyMap<string, OutputFile>> {
    const found = new Map<string, OutputFile>();
    for (const name of this.#outputNames(one)) {
      if ((await statIfThere(`${this.#folder}/${name}`)) === undefined) continue;
      await using file = await openInside(this.#folder, name);
      const { value } = await file.chunks()[Symbol.asyncIterator]().next();
      found.set(name, { bytes: file.size, mediaType: mediaTypeOf(value ?? new Uint8Array()) });
    }
    return found;
  }

  /** Removes what the case had made, so that no later one finds it. */
  async clear(one: ConformanceCase): Promise<void> {
    const made = [...this.#outputNames(one), ...(one.generate ? [one.generate.path] : [])];
    for (const name of made) await removeAll(`${this.#folder}/${name}`);
  }

  /** Plain names inside the scope alone: whatever else an input says is the router's to refuse. */
  #outputNames({ tool, input }: ConformanceCase): readonly string[] {
    const schema = this.#tools.find(({ name }) => name === tool)?.inputSchema;
    const places = schema && compileFileFinder(schema)?.(input) || [];
    return places.filter(({ format, value }) => format === "handler-output-file" && isInside(value))
      .map(({ value }) => value);
  }
}

function isInside(name: string): boolean {
  return !name.startsWith("/") && !name.split("/").includes("..");
}

/** The bytes of a generated file: a fixture, filled up with zero bytes. */
async function* generated({ bytes, from }: GeneratedFile, fixtures: string): AsyncGenerator<Uint8Array> {
  const head = from === undefined ? new Uint8Array() : await readBytes(`${fixtures}/${from}`);
  if (head.length > bytes) {
    throw new HandlerError(
      "invalid",
      `a generated file of ${bytes} bytes cannot begin with ${head.length} bytes`,
    );
  }
  yield head;
  for (let left = bytes - head.length; left > 0; left -= CHUNK) yield new Uint8Array(Math.min(CHUNK, left));
}
