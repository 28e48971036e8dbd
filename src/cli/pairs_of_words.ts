import { HandlerError } from "../base/mod.ts";

/**
 * `name=value` words as a record.
 * @throws {HandlerError} `usage` for a word without `=`, or a name that stands twice
 */
export function pairsOfWords(option: string, words: readonly string[]): Readonly<Record<string, string>> {
  const found = new Map<string, string>();
  for (const word of words) {
    const at = word.indexOf("=");
    if (at < 0) throw new HandlerError("usage", `--${option} takes NAME=VALUE, found no = in it`);
    if (at === 0) throw new HandlerError("usage", `--${option} takes NAME=VALUE, found no name before =`);
    const name = word.slice(0, at);
    if (found.has(name)) throw new HandlerError("usage", `--${option} ${name} stands more than once`);
    found.set(name, word.slice(at + 1));
  }
  return Object.fromEntries(found);
}
