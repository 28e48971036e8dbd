const SPECIAL = /[\\^$.|+()]/;

/**
 * A glob as a regular expression over absolute paths: `*` and `?` stay within a name, `**` does not, `[a-z]` and
 * `{one,other}` are alternatives. Without a leading `/` it may begin at any folder.
 * @throws {SyntaxError} a bracket that is not closed
 */
export function globPattern(glob: string): RegExp {
  const whole = glob.startsWith("/") ? glob : `/**/${glob}`;
  let source = "", open = 0;
  for (let at = 0; at < whole.length; at++) {
    const char = whole[at]!;
    if (whole.startsWith("**/", at) && whole[at - 1] === "/") {
      source += "(?:[^/]+/)*";
      at += 2;
    } else if (whole.startsWith("**", at)) {
      source += ".*";
      at++;
    } else if (char === "*") source += "[^/]*";
    else if (char === "?") source += "[^/]";
    else if (char === "[") {
      const end = whole.indexOf("]", at + 2);
      if (end === -1) throw new SyntaxError(`the glob ${JSON.stringify(glob)} has a [ without its ]`);
      source += `[${whole.slice(at + 1, end).replace(/^!/, "^").replaceAll("\\", "\\\\")}]`;
      at = end;
    } else if (char === "{") {
      open++;
      source += "(?:";
    } else if (char === "}" && open > 0) {
      open--;
      source += ")";
    } else if (char === "," && open > 0) source += "|";
    else source += SPECIAL.test(char) || char === "}" || char === "]" ? `\\${char}` : char;
  }
  if (open > 0) throw new SyntaxError(`the glob ${JSON.stringify(glob)} has a { without its }`);
  return new RegExp(`^${source}$`, "s");
}
