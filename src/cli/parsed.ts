import { parseArgs } from "node:util";
import { HandlerError, nearest } from "../base/mod.ts";
import type { Command, Option } from "./command.ts";

/** The words of a command line by what they are. */
export class Parsed {
  constructor(
    readonly words: readonly string[],
    readonly options: ReadonlyMap<string, readonly string[]>,
    readonly help: boolean,
    readonly command: Command,
  ) {}

  /** An argument that must stand there. */
  arg(name: string): string {
    return this.words[this.#place(name)] as string;
  }

  /** An argument that may be left out. */
  optionalArg(name: string): string | undefined {
    return this.words[this.#place(name)];
  }

  /** All words from an argument on. */
  rest(name: string): readonly string[] {
    return this.words.slice(this.#place(name));
  }

  /** Whether a switch is set. */
  flag(name: string): boolean {
    return this.options.has(name);
  }

  /** The value of an option; of several the last one counts. */
  value(name: string): string | undefined {
    return this.options.get(name)?.at(-1);
  }

  /** The values of an option that may stand many times. */
  values(name: string): readonly string[] {
    return this.options.get(name) ?? [];
  }

  /** The value of an option that this command cannot do without. */
  needed(name: string): string {
    const value = this.value(name);
    if (value !== undefined) return value;
    const placeholder = this.command.options.find((option) => option.name === name)?.value ?? "VALUE";
    throw usage(this.command, `--${name} ${placeholder} is missing`);
  }

  #place(name: string): number {
    return this.command.args.findIndex((arg) => arg.name === name);
  }
}

/**
 * Reads the words behind a command by its row of the table.
 * @throws {HandlerError} `usage` for an unknown option, a missing or surplus word
 */
export function parseWords(command: Command, args: readonly string[]): Parsed {
  const words: string[] = [];
  const options = new Map<string, string[]>();
  let help = false;
  for (const token of tokensOf(command, args)) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    if (token.name === "help") help = true;
    else take(command, options, token);
  }
  if (!help) checkCount(command, words);
  return new Parsed(words, options, help, command);
}

function tokensOf(command: Command, args: readonly string[]) {
  const known = command.options.map((option) =>
    [option.name, {
      type: option.value === undefined ? "boolean" : "string",
      ...(option.short && { short: option.short }),
    }] as const
  );
  return parseArgs({
    args: [...args],
    options: Object.fromEntries([...known, ["help", { type: "boolean", short: "h" }]]),
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function take(command: Command, options: Map<string, string[]>, token: OptionToken): void {
  const option = command.options.find(({ name }) => name === token.name);
  if (!option) throw unknownOption(command, token);
  const before = options.get(option.name);
  if (before && option.value !== undefined && !option.many) {
    throw usage(command, `${token.rawName} stands more than once`);
  }
  options.set(option.name, [...before ?? [], valueOf(command, option, token)]);
}

function valueOf(command: Command, option: Option, token: OptionToken): string {
  if (option.value === undefined) {
    if (token.value === undefined) return "";
    throw usage(command, `${token.rawName} takes no value`);
  }
  if (token.value === undefined) throw usage(command, `${token.rawName} needs a value: ${option.value}`);
  if (!token.inlineValue && /^-./.test(token.value)) {
    const hint = `write ${token.rawName}=${token.value} if that is its value`;
    throw usage(command, `${token.rawName} needs a value (${option.value}), found ${token.value}`, hint);
  }
  if (token.value === "" && !option.mayBeEmpty) throw usage(command, `${token.rawName} must not be empty`);
  return token.value;
}

function unknownOption(command: Command, { name, rawName }: OptionToken): HandlerError {
  const near = nearest(name, [...command.options.map((option) => option.name), "help"]);
  const hint = near ? `did you mean --${near}?` : undefined;
  return usage(command, `${nameOf(command)} has no option ${rawName}`, hint);
}

function checkCount(command: Command, words: readonly string[]): void {
  const needed = command.args.filter(({ takes }) => takes === "one" || takes === "some");
  const missing = needed[words.length];
  if (missing && words.length < needed.length) throw usage(command, `${missing.name} is missing`);
  const open = command.args.some(({ takes }) => takes === "many" || takes === "some");
  const surplus = words[command.args.length];
  if (!open && surplus !== undefined) {
    const found = command.unshown ? "" : `, found ${JSON.stringify(surplus)}`;
    throw usage(command, `${nameOf(command)} takes no further word${found}`);
  }
  const empty = words.findIndex((word) => word === "");
  const arg = empty < 0 ? undefined : command.args[empty] ?? command.args.at(-1);
  if (arg && !arg.mayBeEmpty) throw usage(command, `${arg.name} must not be empty`);
}

/** The command as a person types it. */
export function nameOf(command: Command): string {
  return ["handler", ...command.words].join(" ");
}

/** An error of the command line, whose hint is the command's help unless there is a better one. */
export function usage(command: Command, message: string, hint?: string): HandlerError {
  return new HandlerError("usage", message, { hint: hint ?? `see ${nameOf(command)} --help` });
}
