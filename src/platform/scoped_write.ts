import fs from "node:fs";
import { dirname, join } from "node:path";
import { HandlerError, newId } from "../base/mod.ts";
import { diskFailure, isMissing, statIfThere } from "./files.ts";
import { pathInside, proveFolders, refused } from "./scope_path.ts";

const { O_RDONLY, O_NOFOLLOW, O_DIRECTORY } = fs.constants;

/** A file whose bytes lie beside its place, which only {@linkcode placeAll} gives them. */
export interface WaitingFile extends AsyncDisposable {
  readonly size: number;
  /**
   * Renames it to its place.
   * @param keep whether what was there is kept for {@linkcode WaitingFile.takeBack}
   * @throws {HandlerError} `denied` or `not_found` where the folder or the target is no longer what it was
   */
  place(keep: boolean): Promise<void>;
  /** Puts things back as they were before `place(true)`. */
  takeBack(): Promise<void>;
}

/**
 * Writes a file inside `scope`, whole or not at all: into a new file in the target's folder, then renamed. The folder
 * must exist and be a real folder of the scope. An existing regular file is replaced; anything else there is refused.
 */
export async function writeInside(
  scope: string,
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> {
  await using waiting = await stageInside(scope, path, chunks);
  await waiting.place(false);
  return waiting.size;
}

/** The first half of {@linkcode writeInside}: the bytes lie in the target's folder, under a name that nobody asked for. */
export async function stageInside(
  scope: string,
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<WaitingFile> {
  const root = await Deno.realPath(scope);
  const below = pathInside(root, scope, path);
  const target: Target = {
    root,
    below: dirname(below),
    folder: join(root, dirname(below)),
    path: join(root, below),
  };
  const fresh = join(target.folder, `.${newId()}.partial`);
  try {
    const folder = await provenFolder(target);
    await refuseOddTarget(target.path);
    return new Waiting(target, folder, fresh, await writeChunks(fresh, chunks));
  } catch (error) {
    await unlinkQuietly(fresh);
    throw inWords(error);
  }
}

/**
 * Places all of these files, or none: where one cannot be placed, those before it are taken back.
 * @param failed gives the error for the file that could not be placed
 */
export async function placeAll<File extends WaitingFile>(
  files: readonly File[],
  failed: (file: File, error: unknown) => unknown,
): Promise<void> {
  const placed: File[] = [];
  for (const [at, file] of files.entries()) {
    try {
      await file.place(at < files.length - 1);
      placed.push(file);
    } catch (error) {
      for (const before of placed.reverse()) await before.takeBack();
      throw failed(file, error);
    }
  }
}

interface Target {
  readonly root: string;
  /** Its folder, from the root. */
  readonly below: string;
  readonly folder: string;
  readonly path: string;
}

class Waiting implements WaitingFile {
  readonly size: number;
  readonly #target: Target;
  readonly #folder: fs.BigIntStats;
  readonly #fresh: string;
  #before: string | undefined;
  #placed = false;

  constructor(target: Target, folder: fs.BigIntStats, fresh: string, size: number) {
    this.#target = target;
    this.#folder = folder;
    this.#fresh = fresh;
    this.size = size;
  }

  async place(keep: boolean): Promise<void> {
    const { path, folder } = this.#target;
    try {
      await this.#sameFolder();
      await refuseOddTarget(path);
      if (keep) this.#before = await setAside(path, join(folder, `.${newId()}.before`));
      await Deno.rename(this.#fresh, path);
      this.#placed = true;
    } catch (error) {
      await this.takeBack();
      throw inWords(error);
    }
  }

  async takeBack(): Promise<void> {
    const { path } = this.#target;
    try {
      await this.#sameFolder();
      if (this.#before) await Deno.rename(this.#before, path);
      else if (this.#placed) await unlinkQuietly(path);
    } catch {
      // whoever exchanged the folder meanwhile has what they made of it
    }
    this.#placed = false;
  }

  async #sameFolder(): Promise<void> {
    const now = await provenFolder(this.#target);
    if (now.dev === this.#folder.dev && now.ino === this.#folder.ino) return;
    throw refused("its folder was replaced meanwhile");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await unlinkQuietly(this.#fresh);
    if (this.#before) await unlinkQuietly(this.#before);
  }
}

/** A second name for what is at a path, or where the file system has none, its only name; undefined where nothing is. */
async function setAside(path: string, aside: string): Promise<string | undefined> {
  if (!await statIfThere(path)) return undefined;
  try {
    await Deno.link(path, aside);
  } catch {
    await Deno.rename(path, aside);
  }
  return aside;
}

/** Removes a name of a file, and never a folder: what lies in a scope may have been exchanged for one. */
function unlinkQuietly(path: string): Promise<void> {
  return new Promise((resolve) => fs.unlink(path, () => resolve()));
}

async function provenFolder({ root, below, folder }: Target): Promise<fs.BigIntStats> {
  await proveFolders(root, below);
  const fd = fs.openSync(folder, O_RDONLY | O_NOFOLLOW | O_DIRECTORY);
  try {
    return fs.fstatSync(fd, { bigint: true });
  } finally {
    fs.closeSync(fd);
  }
}

async function refuseOddTarget(path: string): Promise<void> {
  const info = await statIfThere(path);
  if (info && !info.isFile) throw refused("the output path is there already and is no regular file");
}

async function writeChunks(path: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  using file = await Deno.open(path, { write: true, createNew: true, mode: 0o644 });
  let size = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) at += await file.write(chunk.subarray(at));
    size += chunk.length;
  }
  return size;
}

function inWords(error: unknown): unknown {
  if (!isMissing(error)) return diskFailure(error);
  return new HandlerError("not_found", "the folder of the output file does not exist");
}
