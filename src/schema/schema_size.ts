import { HandlerError } from "../base/mod.ts";

/** How large a schema may be, so that compiling it, checking it and reading its errors stay quick. */
export const SCHEMA_LIMITS = { depth: 64, values: 20_000, letters: 500_000 } as const;

/** A limit that a schema breaks, in words; undefined where it keeps to all. Also ends for an object inside itself. */
export function sizeProblem(schema: unknown): string | undefined {
  let values = 0;
  let letters = 0;
  const rest: { readonly value: unknown; readonly depth: number }[] = [{ value: schema, depth: 1 }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    if (next.depth > SCHEMA_LIMITS.depth) return `must nest at most ${SCHEMA_LIMITS.depth} levels deep`;
    if (++values > SCHEMA_LIMITS.values) return `must hold at most ${SCHEMA_LIMITS.values} values`;
    if (typeof next.value === "string") letters += next.value.length;
    if (typeof next.value === "object" && next.value !== null) {
      for (const [key, value] of Object.entries(next.value)) {
        letters += key.length;
        rest.push({ value, depth: next.depth + 1 });
      }
    }
    if (letters > SCHEMA_LIMITS.letters) return `must hold at most ${SCHEMA_LIMITS.letters} letters of text`;
  }
  return undefined;
}

/** Refuses a schema that is too large to compile. @throws {HandlerError} `invalid` */
export function checkSize(schema: unknown): void {
  const problem = sizeProblem(schema);
  if (problem) throw new HandlerError("invalid", `a schema ${problem}`);
}
