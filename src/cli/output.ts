import { styleText } from "node:util";
import type { HandlerError, Json, JsonObject } from "../base/mod.ts";
import { ProblemList } from "../base/mod.ts";
import type { Terminal } from "../platform/mod.ts";
import { type Column, table } from "./table.ts";
import { plain } from "./text.ts";

/** How a text is set off on a terminal. */
type Style = "bold" | "dim" | "red" | "green" | "yellow";

/** What a command says: the answer on stdout, the talk on stderr. */
export class Output {
  readonly #terminal: Terminal;
  readonly #json: boolean;

  constructor(parts: { readonly terminal: Terminal; readonly json: boolean }) {
    this.#terminal = parts.terminal;
    this.#json = parts.json;
  }

  /** The answer: with `--json` the data as one document of schema 1, else as `text` makes it. */
  data(data: { readonly [key: string]: unknown }, text: () => string): void {
    if (this.#json) this.#terminal.out(JSON.stringify({ schema: 1, ...data as JsonObject }, null, 2) + "\n");
    else this.#terminal.out(text());
  }

  /** One JSON document on a line of its own, for answers that go on. */
  jsonLine(value: Json): void {
    this.#terminal.out(JSON.stringify(value) + "\n");
  }

  /** Whether the answer is wanted as JSON. */
  get json(): boolean {
    return this.#json;
  }

  /** A list as a table; an empty one is said on stderr. */
  list(key: string, rows: readonly unknown[], view: {
    readonly columns: readonly Column[];
    readonly cells: readonly (readonly string[])[];
    readonly empty: string;
  }): void {
    this.data({ [key]: rows }, () => rows.length === 0 ? "" : this.table(view.columns, view.cells));
    if (rows.length === 0) this.note(view.empty);
  }

  /** A table that fits the terminal. */
  table(columns: readonly Column[], cells: readonly (readonly string[])[]): string {
    return table(columns, cells, this.#terminal.columns, (text) => this.style("bold", text));
  }

  /** A text set off, where stdout is a terminal with colours. */
  style(style: Style, text: string): string {
    return this.#terminal.colours ? styleText(style, text, { validateStream: false }) : text;
  }

  /** Something that is good to know. */
  note(text: string): void {
    this.#terminal.err(text + "\n");
  }

  /** The sensible next command after a change. */
  next(command: string): void {
    this.note(`next: ${command}`);
  }

  /** An error, its problems and hints. */
  error(error: HandlerError): void {
    const problems = error instanceof ProblemList ? error.problems : [];
    const lines = problems.flatMap((
      one,
    ) => [`  ${one.toString()}`, ...hintOf(one).map((hint) => `    ${hint}`)]);
    const first = error instanceof ProblemList ? error.message : error.toString();
    this.note(plain([`handler: ${first}`, ...lines, ...hintOf(error)].join("\n")));
  }
}

function hintOf({ hint }: HandlerError): readonly string[] {
  return hint === undefined ? [] : [`hint: ${hint}`];
}
