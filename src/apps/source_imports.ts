import { dirname, join, normalize } from "node:path";
import { HandlerError } from "../base/mod.ts";
import { readTextIfThere, statIfThere } from "../platform/mod.ts";

/** A module that another one names, and where. */
interface Import {
  readonly specifier: string;
  readonly line: number;
}

const STATEMENT =
  /^[ \t]*(?:import|export)\b(?<names>[^'"`;=()]*?)\bfrom\s*(["'])(?<from>[^"'\n]+)\2|^[ \t]*import\s*(["'])(?<bare>[^"'\n]+)\4/gm;
const NOT_CODE = /\/\*[\s\S]*?\*\/|`(?:\\[\s\S]|[^`\\])*`/g;
const MODULE = /\.(?:ts|tsx|mts|js|jsx|mjs)$/;
const HINT = "what the backend imports lies in its own folder as files, such as server/vendor/";

/**
 * What modules of a backend's folder import and will not find: only that folder is installed, and nothing is fetched then.
 * What is imported for its types alone is no matter, nor is what is named only while the program runs.
 *
 * @param server the backend's folder
 * @param entries modules below it that are started: the backend itself, its tests
 */
export async function importProblems(
  server: string,
  entries: readonly string[],
): Promise<readonly HandlerError[]> {
  const seen = new Set<string>(), problems: HandlerError[] = [];
  const look = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = MODULE.test(path) ? await readTextIfThere(join(server, path)) ?? "" : "";
    for (const { specifier, line } of importsOf(text)) {
      const target = targetOf(path, specifier);
      const why = typeof target === "string" ? await missing(server, target, specifier) : target?.why;
      if (why !== undefined) {
        const where = { file: join(server, path), line };
        problems.push(new HandlerError("invalid", why, { hint: HINT, where }));
      } else if (typeof target === "string") await look(target);
    }
  };
  for (const entry of entries) await look(normalize(entry));
  return problems;
}

/** The path below the backend's folder; why it can be none; undefined for a module of the runtime. */
function targetOf(from: string, specifier: string): string | { readonly why: string } | undefined {
  if (/^(?:node|data):/.test(specifier)) return undefined;
  if (!/^\.{0,2}\//.test(specifier)) {
    return { why: `nothing is fetched: ${JSON.stringify(specifier)} will not be found` };
  }
  const path = specifier.startsWith("/") ? ".." : join(dirname(from), specifier.split(/[?#]/, 1)[0]!);
  return path === ".." || path.startsWith("../")
    ? { why: `only the backend's folder is installed: ${JSON.stringify(specifier)} leads out of it` }
    : path;
}

async function missing(server: string, path: string, specifier: string): Promise<string | undefined> {
  const info = await statIfThere(join(server, path));
  return info && !info.isDirectory ? undefined : `there is no module ${JSON.stringify(specifier)}`;
}

function importsOf(text: string): readonly Import[] {
  // comments and templates keep their lines, so that the others stay where they are
  const code = text.replace(NOT_CODE, (part) => part.replace(/[^\n]/g, " "));
  return [...code.matchAll(STATEMENT)].flatMap(({ groups = {}, index, 0: whole }) => {
    if (groups.names !== undefined && isForTypes(groups.names)) return [];
    const line = code.slice(0, index + whole.length).split("\n").length;
    return [{ specifier: groups.from ?? groups.bare ?? "", line }];
  });
}

/** `import type …`, or names that are types one by one: they are not there when the program runs. */
function isForTypes(names: string): boolean {
  if (/^\s+type\s/.test(names) && !/^\s+type\s*,/.test(names)) return true;
  const [, listed] = /^\s*\{([^}]*)\}\s*$/.exec(names) ?? [];
  const each = listed?.split(",").map((name) => name.trim()).filter(Boolean);
  return each !== undefined && each.length > 0 && each.every((name) => name.startsWith("type "));
}
