import { parse, type TomlDate, TomlError } from "smol-toml";
import { HandlerError, ProblemList } from "../base/mod.ts";

/** A value as TOML knows them; integers are bigints, so that `1` and `1.0` stay apart and nothing is rounded. */
export type TomlValue = string | bigint | number | boolean | TomlDate | readonly TomlValue[] | TomlTable;

/** A table of TOML; it has no prototype, so every key is only itself. */
export interface TomlTable {
  readonly [key: string]: TomlValue;
}

/** Whether a value is a table. */
export function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === "object" && !Array.isArray(value) && !(value instanceof Date);
}

/** The text of a file's bytes, its byte order mark kept. @throws {ProblemList} where the bytes are no UTF-8. */
export function tomlText(source: string | Uint8Array, file: string): string {
  if (typeof source === "string") return source;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(source);
  } catch {
    throw new ProblemList(file, [notUtf8(source, file)]);
  }
}

function notUtf8(source: Uint8Array, file: string): HandlerError {
  const at = sequenceStart(source, firstRefused(source));
  const before = source.subarray(0, at);
  const line = before.reduce((count, byte) => byte === 0x0a ? count + 1 : count, 1);
  const column = new TextDecoder().decode(before.subarray(before.lastIndexOf(0x0a) + 1)).length + 1;
  const byte = (source[at] ?? 0).toString(16).padStart(2, "0");
  return new HandlerError("invalid", `must be UTF-8, found the byte 0x${byte} that begins no whole letter`, {
    where: { file, line, column },
    hint: "save the file as UTF-8",
  });
}

/** The first byte that a decoder refuses, or the length where the text only ends too early. */
function firstRefused(source: Uint8Array): number {
  let good = 0;
  let bad = source.length;
  while (good < bad) {
    const middle = (good + bad + 1) >> 1;
    if (decodes(source.subarray(0, middle))) good = middle;
    else bad = middle - 1;
  }
  return good;
}

/** Where the sequence begins that the byte at `refused` breaks off. */
function sequenceStart(source: Uint8Array, refused: number): number {
  for (let back = 1; back <= 3 && back <= refused; back++) {
    const byte = source[refused - back] ?? 0;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (length > back) return refused - back;
    if (byte < 0x80 || byte >= 0xc0) break;
  }
  return refused;
}

/** Whether a prefix decodes; an unfinished sequence at its end counts as good. */
function decodes(prefix: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(prefix, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * The document of a TOML text. @throws {ProblemList} with the one syntax error; the text around it is left out, for it
 * could hold what nobody should read in a log.
 */
export function parseToml(text: string, file: string): TomlTable {
  try {
    return parse(text, { integersAsBigInt: true }) as TomlTable;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new ProblemList(file, [
      new HandlerError("invalid", syntaxMessage(error.message), {
        where: { file, line: error.line, column: error.column },
      }),
    ]);
  }
}

function syntaxMessage(message: string): string {
  const said = (message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "").replace(
    /\. aborting\.$/,
    "",
  );
  return `must be TOML: ${said}`;
}
