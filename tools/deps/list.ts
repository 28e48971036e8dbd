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

/** The text of `dependencies.txt`: a line a package, however many lock files name it. */
export function formatList(rows: readonly Row[]): string {
  const byPackage = Map.groupBy(rows, ({ name, version }) => `${name} ${version}`);
  return HEAD + [...byPackage.values()].map(formatPackage).sort().map((line) => line + "\n").join("");
}

function formatPackage(rows: readonly Row[]): string {
  const { name, version, licence } = rows[0]!;
  const parts = [...new Set(rows.flatMap((row) => row.parts))].sort();
  const carried = parts.length > 1 ? parts.filter((part) => part !== "development") : parts;
  const askedBy = rows.some((row) => row.askedBy.length === 0) ? [] : rows.flatMap((row) => row.askedBy);
  const by = askedBy.length === 0 ? "" : `  (for ${[...new Set(askedBy)].sort().join(", ")})`;
  return `${name} ${version}  ${licence}  ${carried.join(", ")}${by}`;
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
