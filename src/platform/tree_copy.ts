import fs from "node:fs";
import { dirname, join, relative } from "node:path";
import { HandlerError } from "../base/mod.ts";
import { ensureFolder } from "./files.ts";

/** What a copy may hold and what it leaves out. */
export interface TreeCopyOptions {
  /** The most bytes of all files together, as they are written: holes of sparse files count in full. */
  readonly limitBytes: number;
  /** `keep` makes links again that stay inside the folder and refuses others; `refuse` refuses any. */
  readonly links: "keep" | "refuse";
  /** Names that are left out, wherever they stand. */
  readonly leaveOut: readonly string[];
}

/** How much was copied. */
export interface TreeCopied {
  readonly files: number;
  readonly bytes: number;
}

const CHUNK = 1024 * 1024;

/**
 * Copies a folder that somebody else may be able to write: no link is followed, no FIFO waited for, no device read, no
 * hole of a sparse file filled past the limit. Every file is opened without following and must be a regular one.
 *
 * @throws {HandlerError} `invalid` naming the entry below the folder that breaks the rule
 */
export async function copyTreeGuarded(
  from: string,
  to: string,
  options: TreeCopyOptions,
): Promise<TreeCopied> {
  const total = { files: 0, bytes: 0 };
  await copyFolder({ from, to, options, total }, "");
  return total;
}

interface Copying {
  readonly from: string;
  readonly to: string;
  readonly options: TreeCopyOptions;
  readonly total: { files: number; bytes: number };
}

async function copyFolder(copying: Copying, below: string): Promise<void> {
  const { from, to, options } = copying;
  await ensureFolder(join(to, below), 0o755);
  for await (const entry of Deno.readDir(join(from, below))) {
    if (options.leaveOut.includes(entry.name)) continue;
    const path = join(below, entry.name);
    if (entry.isDirectory) await copyFolder(copying, path);
    else if (entry.isSymlink) await copyLink(copying, path);
    else await copyRegular(copying, path);
  }
}

async function copyLink({ from, to, options }: Copying, path: string): Promise<void> {
  const target = await Deno.readLink(join(from, path));
  const inside = relative(from, join(from, dirname(path), target));
  const stays = !target.startsWith("/") && inside !== ".." && !inside.startsWith("../");
  if (options.links === "refuse" || !stays) {
    throw refused(path, stays ? "it is a link" : "its link leads out");
  }
  await Deno.symlink(target, join(to, path));
}

async function copyRegular({ from, to, options, total }: Copying, path: string): Promise<void> {
  const flags = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;
  let fd: number;
  try {
    fd = fs.openSync(join(from, path), flags);
  } catch (error) {
    throw refused(path, `it cannot be opened (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    const info = fs.fstatSync(fd);
    if (!info.isFile()) throw refused(path, "it is no regular file");
    if (total.bytes + info.size > options.limitBytes) {
      throw refused(path, `more than ${options.limitBytes} bytes`);
    }
    total.bytes += await copyBytes(fd, join(to, path), info.size, (info.mode & 0o111) === 0 ? 0o644 : 0o755);
    total.files++;
  } finally {
    fs.closeSync(fd);
  }
}

async function copyBytes(fd: number, to: string, size: number, mode: number): Promise<number> {
  using file = await Deno.open(to, { write: true, createNew: true, mode });
  await Deno.chmod(to, mode);
  const buffer = new Uint8Array(Math.min(CHUNK, Math.max(1, size)));
  let copied = 0;
  while (copied < size) {
    const count = fs.readSync(fd, buffer, 0, Math.min(buffer.length, size - copied), copied);
    if (count === 0) break;
    for (let at = 0; at < count;) at += await file.write(buffer.subarray(at, count));
    copied += count;
  }
  await file.sync();
  return copied;
}

function refused(path: string, why: string): HandlerError {
  return new HandlerError("invalid", `${path.replace(/\p{Cc}/gu, "?")} was not copied: ${why}`);
}
