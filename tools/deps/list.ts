import type { Lock } from "./lock.ts";

/** One row of `dependencies.txt`. */
export interface Row {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** The programs that carry it. */
  readonly parts: readonly string[];
  /** The packages that ask for it; none where Handler's own code does. */
  readonly askedBy: readonly string[];
}

const HEAD =
  `# Every npm package that Handler or its tools use: version, licence, the parts that carry it, who asks for it.
# Written by: deno run -A tools/deps.ts --write
`;

/** The text of `dependencies.txt`. */
export function formatList(rows: readonly Row[]): string {
  const lines = rows.map(({ name, version, licence, parts, askedBy }) => {
    const by = askedBy.length === 0 ? "" : `  (for ${askedBy.join(", ")})`;
    return `${name} ${version}  ${licence}  ${parts.join(", ")}${by}`;
  });
  return HEAD + [...new Set(lines)].sort().map((line) => line + "\n").join("");
}

/** The licences in an earlier list, by `name version`, for packages that this machine has not fetched. */
export function listedLicences(text: string): ReadonlyMap<string, string> {
  const rows = text.split("\n").filter((line) => line && !line.startsWith("#"));
  return new Map(rows.map((line) => {
    const [what = "", licence = "unknown"] = line.split("  ");
    return [what, licence];
  }));
}

/** The names of the packages of a lock that need this one. */
export function askers(lock: Lock, id: string): readonly string[] {
  const names = [...lock.packages.values()].filter(({ needs }) => needs.includes(id)).map(({ name }) => name);
  return [...new Set(names)].sort();
}
