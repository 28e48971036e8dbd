/** Whether a version such as `0.2.0` is older than another; what stands behind a `-` makes it older than without. */
export function isOlder(one: string, other: string): boolean {
  const [a, b] = [parts(one), parts(other)];
  const at = [0, 1, 2].find((index) => a.numbers[index] !== b.numbers[index]);
  if (at !== undefined) return (a.numbers[at] ?? 0) < (b.numbers[at] ?? 0);
  if (a.rest === b.rest) return false;
  if (a.rest === "" || b.rest === "") return a.rest !== "";
  return a.rest.localeCompare(b.rest, "en", { numeric: true }) < 0;
}

function parts(version: string): { readonly numbers: readonly number[]; readonly rest: string } {
  const [core = "", rest = ""] = version.split(/-(.*)/s);
  return { numbers: core.split(".").map((word) => Number.parseInt(word) || 0), rest };
}
