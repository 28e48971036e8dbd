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
  ["See how things stand", ["open", "status", "doctor", "paths", "calls", "jobs"]],
  ["Work with agents", ["run", "sessions", "attach", "log", "stop", "connect"]],
  ["Threads", ["thread", "threads"]],
  ["Mini apps", ["app", "person", "inbox"]],
  ["Configure", ["project", "agent", "binding", "secret", "trust", "settings", "reload"]],
  ["Services", ["interface", "connector"]],
  ["The program", ["install", "update", "uninstall", "image", "shutdown", "completions", "version", "help"]],
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
    section("Usage", wrapUsage(usageWords(command)), heading),
    paragraphs(description),
    ...(args.length > 0
      ? [section("Arguments", rows(args.map((arg) => [arg.name, arg.help])), heading)]
      : []),
    section("Options", rows(options.map((option) => [optionWords(option), option.help])), heading),
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

/** Words and their meanings in two columns, long meanings on several lines. */
function rows(list: readonly (readonly [word: string, meaning: string])[]): string {
  const width = Math.max(...list.map(([word]) => word.length)) + 4;
  return pairs(list.map(([word, meaning]) => [word, wrap(meaning, WIDTH - width)]));
}

function paragraphs(text: string): string {
  const all = text.split(/\n\s*\n/).map((paragraph) => wrap(paragraph.replace(/\s+/g, " ").trim(), WIDTH));
  return all.join("\n\n") + "\n";
}

/** The command and its words, each whole: `handler binding add`, `NAME`, `--connector NAME`, `[--set NAME=VALUE]...`. */
function usageWords(command: Command): readonly string[] {
  const options = command.options.toSorted((a, b) => Number(b.needed ?? false) - Number(a.needed ?? false));
  return [nameOf(command), ...command.args.map(argumentWord), ...options.map(optionWord)];
}

function optionWord({ name, value, needed, many }: Option): string {
  const word = `--${name}${value ? ` ${value}` : ""}`;
  return `${needed ? word : `[${word}]`}${many ? "..." : ""}`;
}

/** Lines that break between words only, the later ones indented. */
function wrapUsage(words: readonly string[]): string {
  const lines = [""];
  for (const word of words) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + word.length + 1 > WIDTH) lines.push(`    ${word}`);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}

function argumentWord({ name, takes }: Argument): string {
  if (takes === "one") return name;
  if (takes === "optional") return `[${name}]`;
  return takes === "some" ? `${name}...` : `[${name}...]`;
}

function optionWords({ name, short, value }: Option): string {
  return `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;
}
