import type { Clock } from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import type { Folders, Terminal } from "../platform/mod.ts";
import type { Output } from "./output.ts";
import type { Parsed } from "./parsed.ts";

/** What a word stands for, so that the shell can complete it. */
export type Completes =
  | "agent"
  | "app"
  | "external-agent"
  | "binding"
  | "client"
  | "connector"
  | "file"
  | "folder"
  | "interface"
  | "interface-name"
  | "person"
  | "project"
  | "secret"
  | "session"
  | "thread"
  | "tool"
  | "trust"
  | readonly string[];

/** A word that a command takes by its place. */
export interface Argument {
  readonly name: string;
  readonly help: string;
  /** `many` takes all words that are left. */
  readonly takes: "one" | "optional" | "many" | "some";
  /** It is a text that somebody reads, which may be empty; a name or a path never is. */
  readonly mayBeEmpty?: boolean;
  readonly completes?: Completes;
}

/** A word that a command takes by its name. */
export interface Option {
  /** Without the dashes. */
  readonly name: string;
  readonly short?: string;
  /** What its value is called in the help; a switch has none. */
  readonly value?: string;
  readonly many?: boolean;
  /** As of {@linkcode Argument}. */
  readonly mayBeEmpty?: boolean;
  /** The command cannot do without it; it asks for it by `needed`. */
  readonly needed?: boolean;
  readonly help: string;
  readonly completes?: Completes;
}

/** A command line and what it does. */
export interface Example {
  readonly line: string;
  readonly does: string;
}

/** What a command finds when it runs. */
export interface Context {
  readonly parsed: Parsed;
  readonly terminal: Terminal;
  readonly output: Output;
  readonly clock: Clock;
  /** The daemon; nothing is asked of it before the first call. */
  readonly daemon: Client;
  readonly folders: Folders;
  /** The folder that relative paths start from. */
  readonly cwd: string;
}

/** One command: the table's row that parsing, help and completion are made from. */
export interface Command {
  /** Noun and verb, or one word. */
  readonly words: readonly string[];
  /** One line, without a full stop. */
  readonly summary: string;
  /** Paragraphs, apart by an empty line; their lines are laid out anew. */
  readonly description: string;
  readonly args: readonly Argument[];
  readonly options: readonly Option[];
  readonly examples: readonly Example[];
  /** A surplus word may be a secret that a person typed there, so it is not shown. */
  readonly unshown?: boolean;
  /** Left out of help and completions. */
  readonly hidden?: boolean;
  /** @returns the exit code */
  run(context: Context): Promise<number>;
}

/** The option of the commands that make what a person configures. */
export const REPLACE_OPTION: Option = { name: "replace", help: "change the one that has this name already" };

/** The option of every command that prints data. */
export const JSON_OPTION: Option = {
  name: "json",
  help: 'print one JSON document, with the number of its form as "schema"',
};
