import { type DefinitionKind, definitionKind } from "../../spec/brand.ts";
import { type DefinitionFile, readText } from "./files.ts";
import { type Findings, type Found, written, writtenText } from "./found.ts";
import { importProblem } from "./import_problem.ts";
import { aKind, kindOf } from "./kinds.ts";
import type { DefinitionSource } from "./loaded.ts";
import type { Problems } from "./problems.ts";

/** What an import gave: what the module exports, or what was thrown. */
type Imported = { readonly module: Readonly<Record<string, unknown>> } | { readonly thrown: unknown };

/** Imports files and takes what each defines. */
export async function readFiles(
  files: readonly DefinitionFile[],
  source: DefinitionSource,
  problems: Problems,
): Promise<Findings> {
  const imported = await Promise.all(files.map(({ path }) => bring(path, source)));
  const all: Found[] = [];
  const unread = new Set<DefinitionKind>();
  const lost: Pick<Found, "kind" | "name">[] = [];
  for (const [index, file] of files.entries()) {
    const got = imported[index]!;
    if ("thrown" in got) {
      problems.add(importProblem(got.thrown, file.file, source.folder));
      const names = likelyNames(file);
      if (names.length === 0) unread.add(file.kind);
      lost.push(...names.map((name) => ({ kind: file.kind, name })));
    } else {
      const found = take(file, got.module["default"], problems);
      if (found) all.push(found);
    }
  }
  return { all, unread, lost };
}

/** What a file that cannot be loaded would have defined, so that nobody who refers to it is blamed. */
function likelyNames({ kind, path, stem }: DefinitionFile): readonly string[] {
  const { nameField } = kindOf(kind);
  if (nameField === undefined) return [stem];
  const pattern = new RegExp(`\\b${nameField}\\s*:\\s*(["'\`])([^"'\`]+)\\1`, "g");
  return [...readText(path).matchAll(pattern)].map(([, , name = ""]) => name);
}

async function bring(path: string, source: DefinitionSource): Promise<Imported> {
  try {
    return { module: await source.importModule(path) };
  } catch (thrown) {
    return { thrown };
  }
}

function take(file: DefinitionFile, value: unknown, problems: Problems): Found | undefined {
  const { define, folder, nameField } = kindOf(file.kind);
  const made = definitionKind(value);
  if (made === undefined) {
    skip(file, value, problems);
    return undefined;
  }
  if (made !== file.kind) {
    problems.error(
      file.file,
      "",
      `it defines ${aKind(made)}: agents/${folder}/ is for what ${define}() makes`,
    );
    return undefined;
  }
  const own = nameField && writtenText(written(value)[nameField]);
  return { kind: file.kind, file: file.file, name: own ?? file.stem, value: written(value) };
}

function skip({ file, kind, stem }: DefinitionFile, value: unknown, problems: Problems): void {
  const { define } = kindOf(kind);
  if (value === undefined) {
    if (stem !== "index") {
      problems.warn(file, "", `it is not loaded: it has no "export default ${define}(…)"`);
    }
  } else if (kind === "handler") {
    problems.warn(file, "", `it is not loaded: its default export was not made by ${define}()`);
  } else problems.error(file, "", `its default export was not made by ${define}()`);
}
