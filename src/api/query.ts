import { HandlerError } from "../base/mod.ts";

/** The query of a URL, read strictly: a name that is unknown or stands twice is an error. */
export class Query {
  readonly #values: URLSearchParams;

  constructor(url: string, known: readonly string[]) {
    this.#values = new URL(url).searchParams;
    const names = [...this.#values.keys()];
    for (const name of names) {
      if (!known.includes(name)) {
        throw new HandlerError("usage", `unknown query parameter ${JSON.stringify(name)}`, {
          hint: known.length > 0 ? `the parameters here are ${known.join(", ")}` : "none is taken here",
        });
      }
      if (names.filter((other) => other === name).length > 1) {
        throw new HandlerError("usage", `the query parameter ${name} stands more than once`);
      }
    }
  }

  /** A text, or undefined where it is not given. */
  text(name: string): string | undefined {
    return this.#values.get(name) ?? undefined;
  }

  /** Whether a flag is set: `true` or `false`, false where it is not given. */
  flag(name: string): boolean {
    const value = this.text(name) ?? "false";
    if (value !== "true" && value !== "false") throw wrong(name, "true or false", value);
    return value === "true";
  }

  /** A whole number from `min` to `max`, or undefined where it is not given. */
  integer(name: string, min: number, max: number): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = /^[0-9]{1,16}$/.test(value) ? Number(value) : NaN;
    if (!(number >= min && number <= max)) throw wrong(name, `an integer from ${min} to ${max}`, value);
    return number;
  }
}

function wrong(name: string, rule: string, value: string): HandlerError {
  return new HandlerError(
    "usage",
    `the query parameter ${name} must be ${rule}, found ${JSON.stringify(value)}`,
  );
}
