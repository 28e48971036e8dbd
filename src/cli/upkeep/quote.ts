import { HandlerError } from "../../base/mod.ts";

/** A word of a unit's command line: `%` and `$` mean nothing, spaces and quotes are its own. */
export function unitWord(word: string): string {
  return quoted(plainValue(word).replaceAll("$", "$$$$"));
}

/** `NAME=value` as `Environment=` takes it, where `$` means nothing anyway. */
export function unitVariable(name: string, value: string): string {
  return quoted(`${name}=${plainValue(value)}`);
}

/** A value that a unit takes as it is, to the end of the line; `%` means nothing. */
export function plainValue(text: string): string {
  // deno-lint-ignore no-control-regex
  if (/[\x00-\x1f\x7f]/.test(text)) {
    throw new HandlerError(
      "usage",
      `a service cannot be told of ${JSON.stringify(text)}: it has control characters`,
    );
  }
  return text.replaceAll("%", "%%");
}

function quoted(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./$-]+$/.test(text)) return text;
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** A word of a shell's command line. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Text of an XML document. */
export function xmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
