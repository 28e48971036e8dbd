import { HandlerError, mapAtMost, sha256Hex, utf8 } from "../base/mod.ts";
import { type Entry, listFolder, readBytes, walkFiles } from "../platform/mod.ts";

/** What of a folder counts for its hash. */
export interface HashOptions {
  /** Names in the folder itself that are left out with all below them: `node_modules`, `build`. */
  readonly leaveOut: readonly string[];
}

/** A file of a hashed folder: its path with `/` from the folder, and the SHA-256 of its bytes in hexadecimal. */
export interface HashedFile {
  readonly path: string;
  readonly sha256: string;
}

/**
 * The hash of a folder (contract S.7): SHA-256, in lower-case hexadecimal, over a UTF-8 text that has one line for each
 * regular file below the folder: the file's own SHA-256 in hexadecimal, two spaces, its path from the folder with `/`,
 * a newline. The lines are sorted by path, compared byte by byte. Modes, times and empty folders do not count. So a
 * shell gives the same with
 * `find . -type f -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' sha256sum | sha256sum`.
 *
 * @throws {HandlerError} `invalid` where the folder holds a link, a device, or a name with a control character: then the
 * hash would not say everything about it.
 */
export async function folderHash(folder: string, options: HashOptions = { leaveOut: [] }): Promise<string> {
  return await hashOfFiles(await hashedFiles(folder, options));
}

/** So few at once that neither memory nor the table of open files feels it. */
const READ_AT_ONCE = 4;

/** The files that {@linkcode folderHash} counts, sorted by path. */
export async function hashedFiles(folder: string, options: HashOptions): Promise<readonly HashedFile[]> {
  const files = await mapAtMost(READ_AT_ONCE, await entriesOf(folder, options), async ({ path, kind }) => {
    // deno-lint-ignore no-control-regex
    if (kind !== "file" || /[\u0000-\u001f\\]/.test(path)) throw oddEntry(folder, path, kind);
    return { path, sha256: await sha256Hex(await readBytes(`${folder}/${path}`)) };
  });
  return files.sort((a, b) => compareBytes(utf8(a.path), utf8(b.path)));
}

/** The hash of a listing, see {@linkcode folderHash}. */
export async function hashOfFiles(files: readonly HashedFile[]): Promise<string> {
  return await sha256Hex(utf8(files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join("")));
}

/** Never walks what is left out: installed packages are many thousand files. */
async function entriesOf(folder: string, { leaveOut }: HashOptions): Promise<(Entry & { path: string })[]> {
  const top = (await listFolder(folder)).filter(({ name }) => !leaveOut.includes(name));
  const found = await Promise.all(top.map(async (entry) => {
    return entry.kind === "folder" ? await walkFiles(folder, entry.name) : [{ ...entry, path: entry.name }];
  }));
  return found.flat();
}

function oddEntry(folder: string, path: string, kind: string): HandlerError {
  const rule = "a hashed folder holds regular files with plain names alone";
  const found = kind === "file" ? "a name with a control character or backslash" : `a ${kind}`;
  return new HandlerError("invalid", `${rule}, found ${found}`, {
    where: { file: `${folder}/${path.replace(/\p{Cc}/gu, "?")}` },
  });
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const difference = a[at]! - b[at]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
