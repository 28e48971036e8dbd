import { dirname } from "node:path";
import { concatBytes, HandlerError, utf8, utf8Text } from "../base/mod.ts";
import { ensureFolder, removeQuietly, statIfThere, walkFiles } from "./files.ts";
import { openInside } from "./scoped.ts";
import { writeInside } from "./scoped_write.ts";

/** A file of a packed folder: its path with `/`, its size in bytes, whether it may be run. */
type Entry = readonly [path: string, size: number, runs: boolean];

const MAGIC = "handler-pack/v1\n";

/**
 * Packs a folder's regular files into one file: a first line with the form, a line of JSON that lists the files, the
 * files' bytes in that order, and the SHA-256 of all that in hexadecimal. Memory stays at one chunk.
 */
export async function packFolder(folder: string, file: string): Promise<void> {
  if (await statIfThere(file)) throw new HandlerError("conflict", `there is something at ${file} already`);
  const entries: Entry[] = [];
  for (const { path, kind } of await walkFiles(folder)) {
    if (kind !== "file") continue;
    const { size, mode } = await Deno.lstat(`${folder}/${path}`);
    entries.push([path, size, ((mode ?? 0) & 0o111) !== 0]);
  }
  try {
    await writeInside(dirname(file), file, packed(folder, entries));
  } catch (error) {
    await removeQuietly(file);
    throw error;
  }
}

async function* packed(folder: string, entries: readonly Entry[]): AsyncIterable<Uint8Array> {
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256");
  const head = utf8(MAGIC + JSON.stringify(entries) + "\n");
  hash.update(head);
  yield head;
  for (const [path, size] of entries) {
    await using source = await openInside(folder, `${folder}/${path}`);
    let sent = 0;
    for await (const chunk of source.chunks()) {
      sent += chunk.length;
      hash.update(chunk);
      yield chunk;
    }
    if (sent !== size) throw new HandlerError("conflict", `${path} changed while it was packed`);
  }
  yield utf8(hash.digest("hex") + "\n");
}

/**
 * Unpacks into an empty folder what {@linkcode packFolder} made. The file may come from anywhere: a path that leads out, a
 * size that lies or a wrong hash is refused, and then nothing counts.
 *
 * @throws {HandlerError} `invalid`
 */
export async function unpackFolder(file: string, folder: string): Promise<void> {
  const { createHash } = await import("node:crypto");
  using source = await Deno.open(file);
  const hash = createHash("sha256");
  const { head, entries } = await readHead(source, file);
  hash.update(head);
  for (const [path, size, runs] of entries) {
    await ensureFolder(dirname(`${folder}/${path}`), 0o755);
    await writeInside(folder, `${folder}/${path}`, take(source, size, hash));
    await Deno.chmod(`${folder}/${path}`, runs ? 0o755 : 0o644);
  }
  const digest = new Uint8Array(65);
  const count = await readFull(source, digest);
  if (utf8Text(digest.subarray(0, count)).trim() !== hash.digest("hex")) throw damaged(file);
}

async function readHead(
  source: Deno.FsFile,
  file: string,
): Promise<{ head: Uint8Array; entries: readonly Entry[] }> {
  const magic = new Uint8Array(MAGIC.length);
  await readFull(source, magic);
  if (utf8Text(magic) !== MAGIC) {
    throw new HandlerError("invalid", `${file} was not made by handler app export`);
  }
  const line: number[] = [];
  const byte = new Uint8Array(1);
  while (await source.read(byte) !== null && byte[0] !== 10) {
    line.push(byte[0]!);
    if (line.length > 64 * 1024 * 1024) throw damaged(file);
  }
  const text = new Uint8Array(line);
  return { head: concatBytes([magic, text, utf8("\n")]), entries: entriesOf(utf8Text(text), file) };
}

function entriesOf(text: string, file: string): readonly Entry[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged(file);
  }
  const sound = Array.isArray(value) && value.every((entry) => {
    return Array.isArray(entry) && typeof entry[0] === "string" && Number.isSafeInteger(entry[1]) &&
      entry[1] >= 0 &&
      /^[^/\0]/.test(entry[0]) && !entry[0].split("/").some((part: string) =>
        part === ".." || part === "." || part === ""
      );
  });
  if (!sound) throw damaged(file);
  return value as readonly Entry[];
}

async function* take(
  source: Deno.FsFile,
  size: number,
  hash: { update(bytes: Uint8Array): unknown },
): AsyncIterable<Uint8Array> {
  for (let left = size; left > 0;) {
    const chunk = new Uint8Array(Math.min(left, 64 * 1024));
    const count = await source.read(chunk);
    if (count === null) throw new HandlerError("invalid", "the file ends too early");
    hash.update(chunk.subarray(0, count));
    yield chunk.subarray(0, count);
    left -= count;
  }
}

async function readFull(source: Deno.FsFile, into: Uint8Array): Promise<number> {
  let at = 0;
  while (at < into.length) {
    const count = await source.read(into.subarray(at));
    if (count === null) break;
    at += count;
  }
  return at;
}

function damaged(file: string): HandlerError {
  return new HandlerError("invalid", `${file} is damaged or was changed`);
}

/** The bytes of all files below a folder, as they are counted for a person. */
export async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const { path, kind } of await walkFiles(folder)) {
    if (kind === "file") bytes += (await statIfThere(`${folder}/${path}`))?.size ?? 0;
  }
  return bytes;
}
