import type { DefinitionProblem } from "../../../wire/mod.ts";
import { fileUrl } from "../file_url.ts";

const PLACE = /(file:\/\/[^\s:?]+)(?:\?[^\s:]*)?:(\d+):(\d+)/;
// deno-lint-ignore no-control-regex -- the runtime colours its messages
const COLOUR = /\u001b\[[\d;]*m/g;
const UNREADABLE = /^(SyntaxError: |The module's source code could not be parsed: )/;

/** How the runtime names a package or an address that it may not fetch. */
const FOREIGN = [
  /^Import "([^"]+)" not a dependency/,
  /for package "([^"]+)"/,
  /^A remote specifier was requested: "([^"]+)"/,
  /npm package not found in cache: "([^"]+)"/,
  /Relative import path "([^"]+)" not prefixed/,
];

/** Why a file could not be imported, with the place that the runtime names. */
export function importProblem(thrown: unknown, file: string, folder: string): DefinitionProblem {
  const { text, stack } = wordsOf(thrown);
  const root = fileUrl(folder).replace(/\/?$/, "/");
  const place = placeIn(text, root) ?? placeIn(stack, root);
  return {
    file: place?.file ?? file,
    path: "",
    message: sentence(thrown, text, root),
    severity: "error",
    ...(place && { line: place.line, column: place.column }),
  };
}

function wordsOf(thrown: unknown): { readonly text: string; readonly stack: string } {
  if (!(thrown instanceof Error)) return { text: String(thrown), stack: "" };
  return { text: thrown.message.replaceAll(COLOUR, ""), stack: (thrown.stack ?? "").replaceAll(COLOUR, "") };
}

function placeIn(
  text: string,
  root: string,
): { readonly file: string; readonly line: number; readonly column: number } | undefined {
  for (const [, url = "", line, column] of text.matchAll(new RegExp(PLACE, "g"))) {
    if (!url.startsWith(root)) continue;
    return { file: decodeURI(url.slice(root.length)), line: Number(line), column: Number(column) };
  }
  return undefined;
}

function sentence(thrown: unknown, text: string, root: string): string {
  const first = text.split("\n").find((line) => line.trim() !== "") ?? "";
  const bare = first.replace(new RegExp(` at ${PLACE.source}`), "").replaceAll(root, "").replace(/\.$/, "")
    .trim();
  if (UNREADABLE.test(bare)) return `it cannot be read: ${bare.replace(UNREADABLE, "")}`;
  if (!isResolving(thrown)) return `it fails when it is loaded: ${bare}`;
  const file = /^Module not found "([^"]+)"/.exec(bare)?.[1];
  if (file !== undefined) return `it imports ${file.replace(/^file:\/\//, "")}, which is not there`;
  const foreign = FOREIGN.map((pattern) => pattern.exec(bare)?.[1]).find((name) => name !== undefined);
  if (foreign === undefined) return bare;
  return `it imports "${foreign}": definitions import @standardagents/spec, zod and files of the project`;
}

function isResolving(thrown: unknown): boolean {
  const { code, name } = thrown as { readonly code?: unknown; readonly name?: unknown };
  return code === "ERR_MODULE_NOT_FOUND" || name === "SyntaxError";
}
