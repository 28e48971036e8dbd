/** Words of a command line, one a line: no shell reads them, so that a space needs no quotes. */
export function linesOf(text: string): readonly string[] {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

/** Variables as `NAME=value` lines. */
export function envText(env: Readonly<Record<string, string>>): string {
  return Object.entries(env).map(([name, value]) => `${name}=${value}`).join("\n");
}

/** The variables of `NAME=value` lines; a line without a sign is a name with nothing. */
export function envOf(text: string): Readonly<Record<string, string>> {
  const pairs = linesOf(text).map((line): [string, string] => {
    const at = line.indexOf("=");
    return at === -1 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + 1)];
  });
  return Object.fromEntries(pairs);
}
