import { HandlerError, nearest } from "../base/mod.ts";

/**
 * The one of a list that has a name.
 * @throws {HandlerError} `not_found` with the nearest name that is there
 */
export function oneOf<T>(
  list: readonly T[],
  what: string,
  wanted: string,
  nameOf: (one: T) => string,
  see = `see handler ${what} list`,
): T {
  const found = list.find((one) => nameOf(one) === wanted);
  if (found) return found;
  const near = nearest(wanted, list.map(nameOf));
  throw new HandlerError("not_found", `there is no ${what} ${JSON.stringify(wanted)}`, {
    hint: near ? `did you mean ${near}?` : see,
  });
}
