import { HandlerError } from "../base/mod.ts";

/** A text as GLib's programs (`gdbus`, `gsettings`) read it. */
export function gvariantString(text: string): string {
  const inside = text.replace(/[\\']/g, "\\$&").replace(/\n/g, "\\n").replace(/\t/g, "\\t");
  return `'${inside}'`;
}

/** A list of texts as GLib's programs read it; an empty one says its type, for nothing else does. */
export function gvariantStrings(texts: readonly string[]): string {
  return texts.length === 0 ? "@as []" : `[${texts.map(gvariantString).join(", ")}]`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};
/** A text in either kind of quotes. */
const STRING = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/gsu;

/**
 * A list of texts as GLib's programs print it.
 * @throws {HandlerError} `unavailable` for anything else
 */
export function parseGvariantStrings(printed: string): readonly string[] {
  const strings = printed.match(STRING) ?? [];
  const frame = printed.replace(STRING, "s").replace(/\s/g, "");
  if (!/^(?:@as)?\[(?:s(?:,s)*)?\]$/.test(frame)) {
    throw new HandlerError(
      "unavailable",
      "a list of texts was expected from a program of GLib, and is not there",
    );
  }
  return strings.map(unquoted);
}

/** A text as GLib's programs print it; undefined where it is none. */
export function parseGvariantString(printed: string): string | undefined {
  const text = printed.trim();
  return text.match(STRING)?.[0] === text ? unquoted(text) : undefined;
}

function unquoted(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)/gsu, (_, what: string) => {
    if (what.length > 1) return String.fromCodePoint(parseInt(what.slice(1), 16));
    return ESCAPES[what] ?? what;
  });
}
