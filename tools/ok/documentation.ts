/**
 * What `deno doc --lint` finds, members of an interface or a class aside: those may speak for themselves, an export of a
 * door may not. Types of packages are public where the package is. Takes the linter's output, gives one line a finding:
 * `src/x/y.ts:3: rule: source line`.
 */
export function documentationProblems(output: string, root: string): readonly string[] {
  return output.split(/\n(?=error\[)/).map((block) => finding(block, root)).filter((line) =>
    line !== undefined
  );
}

function finding(block: string, root: string): string | undefined {
  const rule = /^error\[([\w-]+)\]: (.*)/.exec(block);
  if (!rule) return undefined;
  const [, id = "", message = ""] = rule;
  const place = /--> (\S+?):(\d+):\d+/.exec(block);
  const source = /^\s*\d+ \| (.*)$/m.exec(block)?.[1]?.trim() ?? "";
  if (id === "missing-jsdoc" && !source.startsWith("export")) return undefined;
  if (id === "private-type-ref" && / \| (export )?declare /.test(block)) return undefined;
  return `${place?.[1]?.replace(root + "/", "")}:${place?.[2]}: ${message}: ${source}`;
}
