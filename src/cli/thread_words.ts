import { basename, extname } from "node:path";
import { HandlerError, utf8Text } from "../base/mod.ts";
import type { Argument, Context, Option } from "./command.ts";
import { usage } from "./parsed.ts";

/** The thread that a command is about. */
export const THREAD_ARGUMENT: Argument = {
  name: "THREAD",
  takes: "one",
  help: "its id",
  completes: "thread",
};

/** The option that limits a list. */
export const LIMIT_OPTION: Option = { name: "limit", value: "N", help: "at most so many, the newest" };

const MOST = 10_000;

/** A whole number of an option. */
export function numberOption({ parsed }: Context, name: string, min: number, max = Number.MAX_SAFE_INTEGER) {
  const text = parsed.value(name);
  if (text === undefined) return undefined;
  const number = /^[0-9]{1,16}$/.test(text) ? Number(text) : NaN;
  if (number >= min && number <= max) return number;
  throw usage(parsed.command, `--${name} is a number from ${min} to ${max}, found ${JSON.stringify(text)}`);
}

/** `--limit`, or what is usual. */
export function limitOption(context: Context, usual: number): number {
  return numberOption(context, "limit", 1, MOST) ?? usual;
}

/** A message's text: the word itself, or stdin where it is `-`. */
export async function messageWord({ terminal }: Context, word: string): Promise<string> {
  const text = word === "-" ? utf8Text(await terminal.readStdin()).trimEnd() : word;
  if (text.trim() === "") throw new HandlerError("usage", "a message must have a text");
  return text;
}

const TYPES: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".gif": "image/gif",
  ".html": "text/html",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".json": "application/json",
  ".md": "text/markdown",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".tif": "image/tiff",
  ".tiff": "image/tiff",
  ".txt": "text/plain",
  ".webp": "image/webp",
};

/** The kind of a file, by its name. */
export function typeOfFile(path: string): string {
  return TYPES[extname(path).toLowerCase()] ?? "application/octet-stream";
}

/** A path below /attachments/ that is not taken yet: `scan.pdf`, then `scan-2.pdf`. */
export function freePath(file: string, taken: ReadonlySet<string>): string {
  const [name, end] = [basename(file, extname(file)), extname(file)];
  for (let number = 1;; number++) {
    const path = `/attachments/${name}${number === 1 ? "" : `-${number}`}${end}`;
    if (!taken.has(path)) return path;
  }
}
