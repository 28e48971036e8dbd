import type { Argument, Command, Option } from "./command.ts";
import { EXIT_WORDS } from "./exit.ts";
import { nameOf } from "./parsed.ts";
import { wrap } from "./text.ts";
import { pairs } from "./table.ts";

/** How wide help is laid out. */
const WIDTH = 88;

/** Sets a heading off. */
type Heading = (text: string) => string;

const HELP_OPTION: Option = { name: "help", short: "h", help: "show this help" };

/** The order of nouns in the overview; the words that stand alone come first in each part. */
const PARTS: readonly (readonly [title: string, words: readonly string[]])[] = [
  ["See how things stand", ["status", "doctor", "paths", "calls"]],
  ["Work with agents", ["run", "sessions", "attach", "log", "stop", "connect"]],
  ["Configure", ["project", "agent", "binding", "secret", "trust", "reload"]],
  ["Services", ["interface", "connector"]],
  ["The program", ["image", "shutdown", "completions", "version", "help"]],
];

/** The overview of all commands. */
export function overview(commands: readonly Command[], heading: Heading): string {
  const shown = commands.filter(({ hidden }) => !hidden);
  const parts = PARTS.map(([title, words]) => {
    const rows = words.flatMap((word) => shown.filter((command) => command.words[0] === word));
    return section(title, pairs(rows.map((command) => [command.words.join(" "), command.summary])), heading);
  });
  return [
    "handler: gives agents services through frozen contracts, each in a sandbox of its own\n",
    section("Usage", "handler COMMAND [arguments]\nhandler COMMAND --help\n", heading),
    ...parts,
    "handlerd must run for most commands. --json prints data for programs.\n",
  ].join("\n");
}

/** The verbs of one noun. */
export function nounHelp(noun: string, commands: readonly Command[], heading: Heading): string {
  const rows = commands.filter(({ hidden }) => !hidden)
    .map((command) => [command.words.join(" "), command.summary] as const);
  return [
    section("Usage", `handler ${noun} VERB [arguments]\nhandler ${noun} VERB --help\n`, heading),
    section("Commands", pairs(rows), heading),
  ].join("\n");
}

/** Everything about one command. */
export function commandHelp(command: Command, heading: Heading): string {
  const { args, description, examples } = command;
  const options = [...command.options, HELP_OPTION];
  const parts = [
    `${nameOf(command)}: ${command.summary}\n`,
    section("Usage", usageLine(command) + "\n", heading),
    wrap(description, WIDTH) + "\n",
    ...(args.length > 0
      ? [section("Arguments", pairs(args.map((arg) => [arg.name, arg.help])), heading)]
      : []),
    section("Options", pairs(options.map((option) => [optionWords(option), option.help])), heading),
    ...(examples.length > 0 ? [section("Examples", examplesText(command), heading)] : []),
    section("Exit codes", pairs(EXIT_WORDS.map(([code, words]) => [String(code), words])), heading),
  ];
  return parts.join("\n");
}

function section(title: string, body: string, heading: Heading): string {
  const indented = body.trimEnd().split("\n").map((line) => (line === "" ? "" : `  ${line}`)).join("\n");
  return `${heading(title)}\n${indented}\n`;
}

function examplesText({ examples }: Command): string {
  return examples.map(({ line, does }) => `${line}\n    ${does}`).join("\n");
}

/** The command with its words: `handler binding add NAME --connector NAME [--set SETTING=VALUE]...`. */
export function usageLine(command: Command): string {
  const options = command.options.map((option) => {
    const word = `--${option.name}${option.value ? ` ${option.value}` : ""}`;
    return `[${word}]${option.many ? "..." : ""}`;
  });
  return [nameOf(command), ...command.args.map(argumentWord), ...options].join(" ");
}

function argumentWord({ name, takes }: Argument): string {
  if (takes === "one") return name;
  if (takes === "optional") return `[${name}]`;
  return takes === "some" ? `${name}...` : `[${name}...]`;
}

function optionWords({ name, short, value }: Option): string {
  return `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;
}
