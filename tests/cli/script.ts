/**
 * A command line's test as a text: prose, then commands with what they print, then files. README.md beside it has the format.
 * @module
 */

/** A command and what is expected of it. */
export interface Step {
  /** `run` for a shell command, `daemon` for a word to the daemon of the home (`start`, `stop`, `kill`). */
  readonly kind: "run" | "daemon";
  readonly command: string;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  readonly exit: number;
  /** The line of the script that holds the command, from 1. */
  readonly line: number;
}

/** A whole script. */
export interface Script {
  readonly prose: readonly string[];
  readonly steps: readonly Step[];
  /** Files by their path in the home. */
  readonly files: ReadonlyMap<string, string>;
}

const FILE = /^-- (\S+) --$/;

/** Reads a script; a line that is nothing of the format is an error with its number. */
export function readScript(text: string): Script {
  const lines = text.replace(/\n$/, "").split("\n");
  const firstFile = lines.findIndex((line) => FILE.test(line));
  const end = firstFile < 0 ? lines.length : firstFile;
  const firstStep = lines.findIndex((line, index) => index < end && /^[$@] /.test(line));
  const start = firstStep < 0 ? end : firstStep;
  return {
    prose: lines.slice(0, start).filter((line) => line !== ""),
    steps: readSteps(lines.slice(start, end), start + 1),
    files: readFiles(lines.slice(end)),
  };
}

function readSteps(lines: readonly string[], firstLine: number): readonly Step[] {
  const steps: { -readonly [K in keyof Step]: Step[K] }[] = [];
  let continued = false;
  for (const [index, line] of lines.entries()) {
    const step = steps.at(-1);
    if (continued && step) step.command += "\n" + line;
    else if (/^[$@] /.test(line)) steps.push(newStep(line, firstLine + index));
    else if (line.startsWith(">") && step) step.stdout = [...step.stdout, line.slice(2)];
    else if (line.startsWith("!") && step) step.stderr = [...step.stderr, line.slice(2)];
    else if (/^= \d+$/.test(line) && step) step.exit = Number(line.slice(2));
    else if (line !== "" && !line.startsWith("#")) {
      throw new Error(`line ${firstLine + index} is neither a command nor an expectation: ${line}`);
    }
    continued = (continued || line.startsWith("$ ")) && line.endsWith("\\");
  }
  return steps;
}

function newStep(line: string, number: number): Step {
  const kind = line.startsWith("$") ? "run" : "daemon";
  return { kind, command: line.slice(2), stdout: [], stderr: [], exit: 0, line: number };
}

function readFiles(lines: readonly string[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  let path: string | undefined;
  for (const line of lines) {
    const name = FILE.exec(line)?.[1];
    if (name !== undefined) files.set(path = name, "");
    else if (path !== undefined) files.set(path, `${files.get(path)}${line}\n`);
  }
  return files;
}

/** The lines that a step takes in a script, its command first. */
export function formatStep(step: Step): readonly string[] {
  return [
    `${step.kind === "run" ? "$" : "@"} ${step.command}`,
    ...step.stdout.map((line) => `> ${line}`.trimEnd()),
    ...step.stderr.map((line) => `! ${line}`.trimEnd()),
    ...(step.exit === 0 ? [] : [`= ${step.exit}`]),
  ];
}

/** The script's text with its steps' expectations replaced; prose, comments and files stay as they are. */
export function replaceSteps(text: string, steps: readonly Step[]): string {
  const lines = text.replace(/\n$/, "").split("\n");
  for (const step of [...steps].reverse()) {
    const from = step.line - 1;
    const commandLines = step.command.split("\n").length;
    let to = from + commandLines;
    while (/^([>!]|= \d+$)/.test(lines[to] ?? "")) to++;
    lines.splice(from, to - from, ...formatStep(step).flatMap((line) => line.split("\n")));
  }
  return lines.join("\n") + "\n";
}
