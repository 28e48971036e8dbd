/** A place in a text, counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Steps to a value in a JSON document: names of members and numbers of items. */
export type JsonPath = readonly (string | number)[];

/**
 * Where each value of a JSON text stands, by its path; a member stands where its name does. The text must be valid JSON of
 * bounded depth. A name that stands twice in one object is noted, since `JSON.parse` would quietly keep the last.
 */
export function jsonPlaces(text: string): {
  readonly placeOf: (path: JsonPath) => Place;
  readonly repeated: readonly JsonPath[];
} {
  const walk = new Walk(text);
  walk.value([], 0);
  return { placeOf: (path) => placeAt(text, nearestStart(walk.starts, path)), repeated: walk.repeated };
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

class Walk {
  readonly starts = new Map<string, number>();
  readonly repeated: JsonPath[] = [];
  readonly #tokens: readonly { readonly text: string; readonly at: number }[];
  #next = 0;

  constructor(text: string) {
    this.#tokens = Array.from(text.matchAll(TOKENS), (match) => ({ text: match[0], at: match.index }));
  }

  /** Reads one value; `at` is where it is said to stand. */
  value(path: JsonPath, at: number): void {
    const key = JSON.stringify(path);
    if (this.starts.has(key)) this.repeated.push(path);
    this.starts.set(key, at);
    const { text } = this.#take();
    if (text === "[") this.#items(path);
    if (text === "{") this.#members(path);
  }

  #items(path: JsonPath): void {
    for (let index = 0; this.#more("]"); index++) this.value([...path, index], this.#peek().at);
  }

  #members(path: JsonPath): void {
    while (this.#more("}")) {
      const name = this.#take();
      this.#take(); // the colon
      this.value([...path, JSON.parse(name.text) as string], name.at);
    }
  }

  /** Whether another part comes; takes the comma before it, or the bracket that ends the list. */
  #more(close: "]" | "}"): boolean {
    const { text } = this.#peek();
    if (text === close || text === ",") this.#take();
    return text !== close;
  }

  #peek(): { readonly text: string; readonly at: number } {
    return this.#tokens[this.#next]!;
  }

  #take(): { readonly text: string; readonly at: number } {
    return this.#tokens[this.#next++]!;
  }
}

function nearestStart(starts: ReadonlyMap<string, number>, path: JsonPath): number {
  for (let length = path.length; length >= 0; length--) {
    const start = starts.get(JSON.stringify(path.slice(0, length)));
    if (start !== undefined) return start;
  }
  return 0;
}

/** How deep a JSON text nests, in time linear in it. */
export function deepest(text: string): number {
  let depth = 0, most = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === "[" || token === "{") most = Math.max(most, ++depth);
    if (token === "]" || token === "}") depth--;
  }
  return most;
}

/** Line and column of an offset. */
export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: before.at(-1)!.length + 1 };
}
