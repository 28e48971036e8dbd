/** A piece of a line that looks alike. */
export interface AnsiPiece {
  readonly text: string;
  /** Names of classes: `bold`, `c1` to `c7` for the colours red to white. */
  readonly classes: readonly string[];
}

// deno-lint-ignore no-control-regex -- these are the control sequences
const SEQUENCE = /\x1b(?:\[([0-9;?]*)([A-Za-z])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9]|[@-Z\\-_])/g;
// deno-lint-ignore no-control-regex -- what else a terminal would act on
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f]/g;

/**
 * A line of a terminal's output as pieces of text: colours and weight are kept, everything else that would move a cursor
 * or set a title is left out. Of a line that was written over (`\r`) the last version counts.
 */
export function ansiPieces(line: string): readonly AnsiPiece[] {
  const last = line.replace(/\r$/, "").split("\r").at(-1) ?? "";
  const pieces: AnsiPiece[] = [];
  let classes: readonly string[] = [], at = 0;
  const add = (text: string) => {
    const clean = text.replace(CONTROLS, "");
    if (clean !== "") pieces.push({ text: clean, classes });
  };
  for (const match of last.matchAll(SEQUENCE)) {
    add(last.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[2] === "m") classes = styled(classes, match[1] ?? "");
  }
  add(last.slice(at));
  return pieces;
}

/** The text of a line alone. */
export function ansiText(line: string): string {
  return ansiPieces(line).map(({ text }) => text).join("");
}

function styled(before: readonly string[], codes: string): readonly string[] {
  let classes = [...before];
  for (const code of (codes === "" ? "0" : codes).split(";").map(Number)) {
    if (code === 0) classes = [];
    else if (code === 1) classes.push("bold");
    else if (code === 22) classes = classes.filter((one) => one !== "bold");
    else if (code === 39 || isColour(code)) {
      classes = classes.filter((one) => !/^c\d$/.test(one));
      if (isColour(code)) classes.push(`c${code % 10}`);
    }
  }
  return [...new Set(classes)];
}

function isColour(code: number): boolean {
  return (code >= 30 && code <= 37) || (code >= 90 && code <= 97);
}
