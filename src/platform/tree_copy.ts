import { dirname, join, relative } from "node:path";
import { asHandlerError, HandlerError } from "../base/mod.ts";
import { diskFailure, ensureFolder } from "./files.ts";
import { type OpenedFile, openInside } from "./scoped.ts";

/** What a copy may hold and what it leaves out. */
export interface TreeCopyOptions {
  /** The folder below `from` that is copied; all of it by default. */
  readonly below?: string;
  /** The most bytes of all files together; holes of sparse files count in full. */
  readonly limitBytes: number;
  /**
   * `keep` makes links again that stay inside what is copied and refuses others; `refuse` refuses any; `skip` leaves out
   * whatever is no regular file, or holds next to nothing.
   */
  readonly links: "keep" | "refuse" | "skip";
  /** Names that are left out, wherever they stand. */
  readonly leaveOut: readonly string[];
}

/** How much was copied. */
export interface TreeCopied {
  readonly files: number;
  readonly bytes: number;
}

/** Holes of this size are walked through in a moment. */
const HOLES_LIMIT = 256 * 1024 ** 2;
/** A file system that compresses makes a file of text this much smaller, hardly more. */
const MOST_COMPRESSED = 16;

/**
 * Copies a folder that somebody else may be able to write, even while it is copied: no link is followed, no FIFO waited
 * for, no device read, no hole of a sparse file filled. Every file is proved to be a regular one of the folder.
 *
 * @throws {HandlerError} `invalid` naming the entry below the folder that breaks the rule
 */
export async function copyTreeGuarded(
  from: string,
  to: string,
  options: TreeCopyOptions,
): Promise<TreeCopied> {
  const total = { files: 0, bytes: 0 };
  const { below = "." } = options;
  await proveRealFolder(from, below);
  await copyFolder({ from, root: join(from, below), to, options, total, refusals: undefined }, "");
  return total;
}

/** Everything that {@linkcode copyTreeGuarded} would refuse, without copying; and how much there is. */
export async function lookAtTree(
  from: string,
  options: TreeCopyOptions,
): Promise<TreeCopied & { readonly refusals: readonly HandlerError[] }> {
  const total = { files: 0, bytes: 0 }, refusals: HandlerError[] = [];
  const { below = "." } = options;
  const root = join(from, below);
  await collecting(refusals, async () => {
    await proveRealFolder(from, below);
    await copyFolder({ from, root, to: undefined, options, total, refusals }, "");
  });
  return { ...total, refusals };
}

/** Does a part of the work; what it refuses is thrown, or told where others are to be heard too. */
async function collecting(refusals: HandlerError[] | undefined, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!refusals || !(error instanceof HandlerError)) throw error;
    refusals.push(error);
  }
}

interface Copying {
  /** The scope that no path may leave. */
  readonly from: string;
  /** What is copied of it. */
  readonly root: string;
  /** Undefined where it is only looked at. */
  readonly to: string | undefined;
  readonly options: TreeCopyOptions;
  readonly total: { files: number; bytes: number };
  /** Takes what is refused; where there is none, the first refusal ends the copy. */
  readonly refusals: HandlerError[] | undefined;
}

async function proveRealFolder(from: string, below: string): Promise<void> {
  let at = from;
  for (const part of below.split("/")) {
    at = join(at, part);
    if (!(await Deno.lstat(at)).isDirectory) throw refused(below, "it is not a folder, or a link to one");
  }
}

async function copyFolder(copying: Copying, path: string): Promise<void> {
  const { root, to, options, refusals } = copying;
  if (to !== undefined) await ensureFolder(join(to, path), 0o755);
  for await (const entry of Deno.readDir(join(root, path))) {
    if (options.leaveOut.includes(entry.name)) continue;
    const inside = join(path, entry.name);
    await collecting(refusals, async () => {
      if (entry.isDirectory) await copyFolder(copying, inside);
      else if (entry.isFile) await copyRegular(copying, inside);
      else if (options.links !== "skip") await copyOther(copying, inside, entry);
    });
  }
}

async function copyOther({ root, to, options }: Copying, path: string, entry: Deno.DirEntry): Promise<void> {
  if (!entry.isSymlink) throw refused(path, "it is not a regular file");
  if (options.links === "refuse") throw refused(path, "it is a link");
  const target = await Deno.readLink(join(root, path));
  const inside = relative(root, join(root, dirname(path), target));
  const stays = !target.startsWith("/") && inside !== ".." && !inside.startsWith("../");
  if (!stays) throw refused(path, "its link leads out");
  if (to !== undefined) await Deno.symlink(target, join(to, path));
}

async function copyRegular({ from, root, to, options, total }: Copying, path: string): Promise<void> {
  let opened: OpenedFile;
  try {
    opened = await openInside(from, join(root, path));
  } catch (error) {
    throw refused(path, asHandlerError(error).message);
  }
  await using file = opened;
  if (total.bytes <= options.limitBytes && total.bytes + file.size > options.limitBytes) {
    total.bytes += file.size;
    throw refused(path, `more than ${options.limitBytes} bytes`);
  }
  if (isSparse(file)) {
    if (options.links === "skip") return;
    throw refused(path, "it is sparse");
  }
  try {
    if (to !== undefined) await writeCopy(file, join(to, path));
  } catch (error) {
    throw diskFailure(error);
  }
  total.bytes += file.size;
  total.files++;
}

/** Whether a file says that it is large and holds next to nothing. */
function isSparse({ size, allocated }: OpenedFile): boolean {
  return size - allocated > HOLES_LIMIT && allocated * MOST_COMPRESSED < size;
}

/** As many bytes as the file had when it was opened, at most: one that grows meanwhile is not followed for ever. */
async function writeCopy(file: OpenedFile, to: string): Promise<void> {
  const mode = file.executable ? 0o755 : 0o644;
  using copy = await Deno.open(to, { write: true, createNew: true, mode });
  await Deno.chmod(to, mode);
  let at = 0, hole = false;
  for await (const chunk of file.chunks()) {
    const piece = chunk.subarray(0, file.size - at);
    hole = isZero(piece);
    if (hole) await copy.seek(piece.length, Deno.SeekMode.Current);
    else for (let done = 0; done < piece.length;) done += await copy.write(piece.subarray(done));
    at += piece.length;
    if (at >= file.size) break;
  }
  if (hole) await copy.truncate(at);
  await copy.sync();
}

/** Zeros are not written: a hole stays a hole. */
function isZero(piece: Uint8Array): boolean {
  const words = new BigUint64Array(piece.buffer, piece.byteOffset, piece.length >> 3);
  return words.every((word) => word === 0n) && piece.subarray(words.length << 3).every((byte) => byte === 0);
}

function refused(path: string, why: string): HandlerError {
  return new HandlerError("invalid", `${path.replace(/\p{Cc}/gu, "?")} cannot be copied: ${why}`);
}
