import fs from "node:fs";
import { HandlerError } from "../base/mod.ts";

/** A unix socket that stays the one it was, whatever is put in the place of its name. */
export interface PinnedSocket extends Disposable {
  /** What to connect to. */
  readonly path: string;
  /** Whether the name still leads to it. */
  isInPlace(): boolean;
}

/** Opens a place in the file system without what is there; Linux only. */
const O_PATH = 0o10000000;

/**
 * Pins the socket at a path whose folder somebody else may write: a link that is put there later is not followed. Where
 * there is no `/proc` (macOS) the path itself has to do, with {@linkcode PinnedSocket.isInPlace}.
 *
 * @throws {HandlerError} `denied` where there is no socket, or a link to one
 */
export function pinSocket(path: string): PinnedSocket {
  const info = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!info?.isSocket()) throw new HandlerError("denied", "there is no socket of its own where one must be");
  const pin = Deno.build.os === "linux" ? pinned(path, info) : undefined;
  return {
    path: pin?.path ?? path,
    isInPlace() {
      const now = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
      return now !== undefined && same(now, info);
    },
    [Symbol.dispose]: () => pin?.close(),
  };
}

function pinned(path: string, info: fs.BigIntStats): { path: string; close(): void } | undefined {
  const fd = fs.openSync(path, O_PATH | fs.constants.O_NOFOLLOW);
  const found = descriptorPath(fd, info);
  if (found === undefined) fs.closeSync(fd);
  return found === undefined ? undefined : { path: found, close: () => fs.closeSync(fd) };
}

/** Older versions of Deno number open files in their own way, so the kernel's number is looked for there. */
function descriptorPath(fd: number, info: fs.BigIntStats): string | undefined {
  const numbers = [String(fd), ...fs.readdirSync("/proc/self/fd")];
  return numbers.map((number) => `/proc/self/fd/${number}`).find((path) => {
    try {
      return same(fs.statSync(path, { bigint: true }), info);
    } catch {
      return false; // closed meanwhile
    }
  });
}

function same(a: fs.BigIntStats, b: fs.BigIntStats): boolean {
  return a.isSocket() && a.dev === b.dev && a.ino === b.ino;
}
