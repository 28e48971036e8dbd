import type { InstallPlan } from "./plan.ts";
import { shellWord } from "./quote.ts";

const STATES = {
  new: "",
  same: " (is there already)",
  changed: " (changes what is there)",
  taken: "",
} as const;

/** What an installation would do, for a person who decides about it. */
export function planText(
  { pieces, commands, notes }: InstallPlan,
  byHand: number | undefined,
  { contents } = { contents: false },
): string {
  const files = pieces.flatMap(({ piece, state }) => {
    const from = piece.does === "copy"
      ? ` from ${piece.from}`
      : piece.does === "link"
      ? ` to ${piece.target}`
      : "";
    const line = `${piece.does.padEnd(6)}${piece.path}${from}${STATES[state]}`;
    return [line, ...(contents && piece.does === "write" ? indented(piece.text) : [])];
  });
  return [
    ...files,
    ...(byHand === undefined ? [] : [`end   handlerd, process ${byHand}, which was started by hand`]),
    ...commands.map((command) => `run   ${command.map(shellWord).join(" ")}`),
    ...notes.map((note) => `note  ${note}`),
  ].map((line) => `${line}\n`).join("");
}

function indented(text: string): readonly string[] {
  return text.trimEnd().split("\n").map((line) => `      | ${line}`.trimEnd());
}
