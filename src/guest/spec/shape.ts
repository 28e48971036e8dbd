import { nearest } from "../../base/mod.ts";
import { isHandler } from "./handler.ts";
import type { DefinitionIssue } from "./issue.ts";

/** Looks at a value that stands at a path, and adds what it has against it. */
export type Check = (value: unknown, path: string, issues: DefinitionIssue[]) => void;

/** What an object may have. A field that is undefined is not there. */
export interface Fields {
  readonly fields: Readonly<Record<string, Check>>;
  readonly required?: readonly string[];
  /** Keys that must not be there, and why. */
  readonly refused?: Readonly<Record<string, string>>;
  /** Keys that do nothing, and why. */
  readonly idle?: Readonly<Record<string, string>>;
}

/** Adds an error. */
export function fault(issues: DefinitionIssue[], path: string, message: string): void {
  issues.push({ path, message, severity: "error" });
}

/** Adds a warning. */
export function doubt(issues: DefinitionIssue[], path: string, message: string): void {
  issues.push({ path, message, severity: "warning" });
}

/** A value in words that fit behind "not". */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? value.slice(0, 39) + "…" : value);
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return "a list";
  return value === undefined ? "nothing" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** ` (did you mean "x"?)`, or nothing where no known word is near. */
export function meant(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined || near === word ? "" : ` (did you mean "${near}"?)`;
}

/** Why a handler does not stand in most places. */
export const ONLY_A_SIDE = `only the "handler" of a side may refer to a handler`;

/** Why a definition lists no effects. */
export const NO_EFFECTS = "effects are not listed: code schedules them with state.scheduleEffect()";

function wrong(issues: DefinitionIssue[], path: string, wanted: string, value: unknown): void {
  if (isHandler(value)) fault(issues, path, `it is a handler: ${ONLY_A_SIDE}`);
  else fault(issues, path, `it must be ${wanted}, not ${shown(value)}`);
}

function checkThat(wanted: string, holds: (value: unknown) => boolean): Check {
  return (value, path, issues) => {
    if (!holds(value)) wrong(issues, path, wanted, value);
  };
}

/** A text that says something. */
export const text: Check = checkThat(
  "a text that is not empty",
  (value) => typeof value === "string" && value.trim() !== "",
);

/** Any text. */
export const anyText: Check = checkThat("a text", (value) => typeof value === "string");

/** True or false. */
export const flag: Check = checkThat("true or false", (value) => typeof value === "boolean");

/** A whole number from 1. */
export const count: Check = checkThat(
  "a whole number from 1",
  (value) => Number.isSafeInteger(value) && Number(value) >= 1,
);

/** A number from 0. */
export const amount: Check = checkThat(
  "a number from 0",
  (value) => Number.isFinite(value) && Number(value) >= 0,
);

/** A function. */
export const callable: Check = checkThat("a function", (value) => typeof value === "function");

/** Whatever it is. */
export const anything: Check = () => {};

/** One of some words. */
export function oneOf(...words: readonly string[]): Check {
  return (value, path, issues) => {
    if (typeof value === "string" && words.includes(value)) return;
    const quoted = words.map((word) => `"${word}"`).join(", ");
    const near = typeof value === "string" ? meant(value, words) : "";
    fault(issues, path, `it must be one of ${quoted}, not ${shown(value)}${near}`);
  };
}

/** A list whose parts each pass. */
export function list(part: Check): Check {
  return (value, path, issues) => {
    if (!Array.isArray(value)) return wrong(issues, path, "a list", value);
    for (const [index, item] of value.entries()) part(item, `${path}[${index}]`, issues);
  };
}

/** An object of any names whose values each pass. */
export function record(part: Check): Check {
  return (value, path, issues) => {
    if (!isPlain(value)) return wrong(issues, path, "an object", value);
    for (const [key, item] of Object.entries(value)) part(item, joined(path, key), issues);
  };
}

/** An object with certain fields. */
export function object(shape: Fields): Check {
  return (value, path, issues) => {
    if (!isPlain(value)) return wrong(issues, path, "an object", value);
    checkFields(value, path, shape, issues);
  };
}

/** The fields of an object: each that is there, those that must be, those that must not. */
export function checkFields(
  value: Readonly<Record<string, unknown>>,
  path: string,
  { fields, required = [], refused = {}, idle = {} }: Fields,
  issues: DefinitionIssue[],
): void {
  for (const key of required) {
    if (value[key] === undefined) fault(issues, joined(path, key), "it is missing");
  }
  for (const [key, item] of Object.entries(value)) {
    const at = joined(path, key);
    if (item === undefined) continue;
    const check = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (check) check(item, at, issues);
    else if (Object.hasOwn(refused, key)) fault(issues, at, refused[key] ?? "");
    else if (Object.hasOwn(idle, key)) doubt(issues, at, idle[key] ?? "");
    else doubt(issues, at, `nothing reads it${meant(key, Object.keys(fields))}`);
  }
}

/** `a.b`, or the key alone at the top. */
export function joined(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

/** An object that is no list and no handler. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isHandler(value);
}
