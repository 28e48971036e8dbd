import { HandlerError, nearest } from "../base/mod.ts";
import type { Command } from "./command.ts";

/** What the first words of a command line name. */
export type Found =
  | { readonly kind: "command"; readonly command: Command; readonly rest: readonly string[] }
  | { readonly kind: "noun"; readonly noun: string; readonly commands: readonly Command[] };

/**
 * The command, or the noun whose verb is missing, that a command line begins with.
 * @throws {HandlerError} `usage` for words that name nothing, with the nearest that do
 */
export function lookUp(commands: readonly Command[], args: readonly string[]): Found {
  const [first = "", second] = args;
  const verbs = commands.filter(({ words }) => words.length === 2 && words[0] === first);
  const verb = verbs.find(({ words }) => words[1] === second);
  if (verb) return { kind: "command", command: verb, rest: args.slice(2) };
  const single = commands.find(({ words }) => words.length === 1 && words[0] === first);
  if (single) return { kind: "command", command: single, rest: args.slice(1) };
  if (verbs.length === 0) throw unknown(first, firstWords(commands), "command", "handler --help");
  if (second === undefined || second.startsWith("-")) return { kind: "noun", noun: first, commands: verbs };
  const known = verbs.map(({ words }) => words[1] ?? "");
  throw unknown(second, known, `verb of ${first}`, `handler ${first} --help`);
}

function firstWords(commands: readonly Command[]): readonly string[] {
  return [...new Set(commands.filter(({ hidden }) => !hidden).map(({ words }) => words[0] ?? ""))];
}

function unknown(word: string, known: readonly string[], what: string, help: string): HandlerError {
  const near = nearest(word, known);
  const hint = near ? `did you mean ${near}?` : `see ${help}`;
  return new HandlerError("usage", `there is no ${what} ${JSON.stringify(word)}`, { hint });
}
