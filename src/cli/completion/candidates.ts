import type { Argument, Command, Completes, Option } from "../command.ts";
import type { Names } from "./names.ts";

/** A word that may come next, and what it means; `:file` and `:folder` leave it to the shell. */
export interface Candidate {
  readonly word: string;
  readonly means: string;
}

/** What may stand where the last of `words` is being typed. */
export async function candidates(
  commands: readonly Command[],
  words: readonly string[],
  names: Names,
): Promise<readonly Candidate[]> {
  const typed = words.at(-1) ?? "";
  const all = await possible(commands.filter(({ hidden }) => !hidden), words.slice(0, -1), typed, names);
  return all.filter(({ word }) => word.startsWith(":") || word.startsWith(typed));
}

async function possible(
  commands: readonly Command[],
  before: readonly string[],
  typed: string,
  names: Names,
): Promise<readonly Candidate[]> {
  const asked = before[0] === "help" ? before.slice(1) : before;
  const [first, second] = asked;
  if (first === undefined) return firstWords(commands);
  const named = commands.filter(({ words }) => words[0] === first);
  const command = named.find(({ words }) => words.length === 2 && words[1] === second) ??
    named.find(({ words }) => words.length === 1);
  const verbs = asked.length > 1 ? [] : named.filter(({ words }) => words.length === 2)
    .map(({ words, summary }) => ({ word: words[1] ?? "", means: summary }));
  if (!command || before[0] === "help") return verbs;
  return [...verbs, ...await wordsOf(command, asked.slice(command.words.length), typed, names)];
}

function firstWords(commands: readonly Command[]): readonly Candidate[] {
  const all = new Map<string, string>([["help", "show help"]]);
  for (const { words, summary } of commands) {
    const [noun = ""] = words;
    const verbs = commands.filter((command) => command.words[0] === noun).map((command) => command.words[1]);
    if (words.length === 1 || !all.has(noun)) all.set(noun, words.length === 1 ? summary : verbs.join(", "));
  }
  return [...all].map(([word, means]) => ({ word, means })).sort((a, b) => (a.word < b.word ? -1 : 1));
}

/** The words behind a command: the value of an option that stands open, an option, or the next argument. */
async function wordsOf(
  command: Command,
  before: readonly string[],
  typed: string,
  names: Names,
): Promise<readonly Candidate[]> {
  const { open, count, ended } = readSoFar(command, before);
  if (open) return await candidatesOf(open.completes, names);
  const joined = ended ? undefined : /^(--[^=]+)=/.exec(typed);
  if (joined) return await valuesOf(command, joined, names);
  if (typed.startsWith("-") && !ended) return optionWords(command, before);
  return await candidatesOf(argumentAt(command, count)?.completes, names);
}

/** `--option=value`: the candidates are whole words. */
async function valuesOf(
  command: Command,
  [before, name]: RegExpExecArray,
  names: Names,
): Promise<readonly Candidate[]> {
  const option = command.options.find((option) => option.value !== undefined && isNamed(option, name ?? ""));
  return (await candidatesOf(option?.completes, names)).map(({ word, means }) => ({
    word: word.startsWith(":") ? word : before + word,
    means,
  }));
}

function readSoFar(command: Command, before: readonly string[]) {
  let open: Option | undefined;
  let count = 0;
  let ended = false;
  for (const word of before) {
    if (open) open = undefined;
    else if (ended || !word.startsWith("-")) count++;
    else if (word === "--") ended = true;
    else open = command.options.find((option) => option.value !== undefined && isNamed(option, word));
  }
  return { open, count, ended };
}

function isNamed({ name, short }: Option, word: string): boolean {
  return word === `--${name}` || (short !== undefined && word === `-${short}`);
}

function optionWords({ options }: Command, before: readonly string[]): readonly Candidate[] {
  const left = options.filter(({ name, many }) => many || !before.includes(`--${name}`));
  return [...left, { name: "help", help: "show this help" }].map(({ name, help }) => ({
    word: `--${name}`,
    means: help,
  }));
}

function argumentAt({ args }: Command, place: number): Argument | undefined {
  const last = args.at(-1);
  return args[place] ?? (last?.takes === "many" || last?.takes === "some" ? last : undefined);
}

async function candidatesOf(completes: Completes | undefined, names: Names): Promise<readonly Candidate[]> {
  if (completes === undefined) return [];
  if (typeof completes !== "string") return completes.map((word) => ({ word, means: "" }));
  if (completes === "file" || completes === "folder") return [{ word: `:${completes}`, means: "" }];
  return (await names(completes)).map(([word, means]) => ({ word, means }));
}
