/**
 * A page of `docs/` as a reader follows it: files to write, commands to run, what they print.
 * @module
 */
import { ROOT } from "../../tools/repository.ts";

/** One step of a page, in the order in which it stands there. */
export type Step =
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "command"; readonly line: string }
  /** What the command before it prints: each line, with any number in place of a number. */
  | { readonly kind: "output"; readonly lines: readonly string[] };

const BLOCK = /^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm;

/** The fenced blocks of a page: a named one is a file, `sh` are commands (one a line), `text` is what they print. */
export async function stepsOf(page: string): Promise<readonly Step[]> {
  const text = await Deno.readTextFile(`${ROOT}/docs/${page}`);
  return [...text.matchAll(BLOCK)].flatMap(([, language = "", path, body = ""]): Step[] => {
    if (path !== undefined) return [{ kind: "file", path, text: body }];
    if (language === "text") return [{ kind: "output", lines: body.trimEnd().split("\n") }];
    return language === "sh" ? commandsOf(body) : [];
  });
}

function commandsOf(body: string): Step[] {
  const lines = body.replaceAll("\\\n", "").split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => ({ kind: "command", line }));
}

/** The lines of a page's sample that a command did not print. */
export function notPrinted(lines: readonly string[], printed: string): readonly string[] {
  const shapes = new Set(printed.split("\n").map(shapeOf));
  return lines.filter((line) => line.trim() !== "…" && !shapes.has(shapeOf(line)));
}

/** A line without what differs from run to run: widths, durations, times, ids. */
function shapeOf(line: string): string {
  return line.replace(/\b\d[\d.,:-]*(?: (?:m?s|[kM]?B))?\b/g, "N").replace(/\b[0-9a-z]{20,64}\b/g, "ID")
    .replace(/\s+/g, " ").trim();
}
