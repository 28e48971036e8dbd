/**
 * A page of `docs/` as a reader follows it: files to write, commands to run, what they print.
 * @module
 */
import { ROOT } from "../../tools/repository.ts";

/** One step of a page, in the order in which it stands there. */
export type Step =
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "command"; readonly line: string; readonly where: "home" | "clone" }
  /** What the commands before it print: each line, with any number in place of a number. */
  | { readonly kind: "output"; readonly lines: readonly string[] };

const BLOCK = /^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm;

/**
 * The fenced blocks of a page: `sh` are commands (one a line; `sh clone` those for the clone's folder), `text` is what
 * the last one prints, any other named block is a file.
 */
export async function stepsOf(page: string): Promise<readonly Step[]> {
  const text = await Deno.readTextFile(`${ROOT}/docs/${page}`);
  return [...text.matchAll(BLOCK)].flatMap(([, language = "", path, body = ""]): Step[] => {
    if (language === "sh") return commandsOf(body, path === "clone" ? "clone" : "home");
    if (path !== undefined) return [{ kind: "file", path, text: body }];
    return language === "text" ? [{ kind: "output", lines: body.trimEnd().split("\n") }] : [];
  });
}

function commandsOf(body: string, where: "home" | "clone"): Step[] {
  const lines = body.replaceAll("\\\n", "").split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => ({ kind: "command", line, where }));
}

/** The lines of a page's sample that were not printed. */
export function notPrinted(lines: readonly string[], printed: string): readonly string[] {
  const shapes = new Set(printed.split("\n").map(shapeOf));
  return lines.filter((line) => line.trim() !== "…" && !shapes.has(shapeOf(line)));
}

/** A line without what differs from run to run: widths, durations, times, ids. */
function shapeOf(line: string): string {
  return line.replace(/\b\d[\d.,:-]*(?: (?:m?s|[kM]?B))?\b/g, "N").replace(/\b[0-9a-z]{20,64}\b/g, "ID")
    .replace(/\s+/g, " ").trim();
}
