import { HandlerError, isObject } from "../../base/mod.ts";

/** Looks at a value that somebody else made. @throws {HandlerError} `invalid` naming the place */
export type Shape = (value: unknown, at: string) => void;

/** A text. */
export const text: Shape = such((value) => typeof value === "string", "a text");
/** True or false. */
export const flag: Shape = such((value) => typeof value === "boolean", "true or false");
/** A number. */
export const number: Shape = such((value) => typeof value === "number", "a number");
/** Any JSON at all. */
export const anything: Shape = () => {};

/** One of some texts. */
export function oneOf(...words: readonly string[]): Shape {
  return (value, at) => {
    if (!words.includes(value as string)) throw wrong(at, `one of ${words.join(", ")}`);
  };
}

/** A value that may not be there. */
export function maybe(shape: Shape): Shape {
  return (value, at) => value === undefined || shape(value, at);
}

/** A list of such. */
export function list(shape: Shape): Shape {
  return (value, at) => {
    if (!Array.isArray(value)) throw wrong(at, "a list");
    value.forEach((part, index) => shape(part, `${at}[${index}]`));
  };
}

/** An object whose values are such, by any name. */
export function table(shape: Shape): Shape {
  return (value, at) => {
    if (!isObject(value)) throw wrong(at, "an object");
    for (const [name, part] of Object.entries(value)) shape(part, `${at}.${name}`);
  };
}

/** An object with these members; others are nobody's concern. */
export function record(members: Readonly<Record<string, Shape>>): Shape {
  const all = Object.entries(members);
  return (value, at) => {
    if (!isObject(value)) throw wrong(at, "an object");
    for (const [name, shape] of all) shape(value[name], `${at}.${name}`);
  };
}

/** An object whose member of that name says which shape it has. */
export function choice(member: string, shapes: Readonly<Record<string, Shape>>): Shape {
  const word = oneOf(...Object.keys(shapes));
  return (value, at) => {
    const kind = isObject(value) ? value[member] : undefined;
    word(kind, `${at}.${member}`);
    shapes[kind as string]!(value, at);
  };
}

/** False, or a value of the shape. */
export function orFalse(shape: Shape): Shape {
  return (value, at) => value === false || shape(value, at);
}

function such(is: (value: unknown) => boolean, words: string): Shape {
  return (value, at) => {
    if (!is(value)) throw wrong(at, words);
  };
}

function wrong(at: string, must: string): HandlerError {
  return new HandlerError(
    "invalid",
    `what a thread host says of its definitions is wrong: ${at} must be ${must}`,
  );
}
