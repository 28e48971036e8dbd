import type { ValidateFunction } from "ajv/dist/2020.js";
import { isObject } from "../base/mod.ts";
import { compileWith, newAjv } from "./compile_schema.ts";
import type { FileFormat } from "./formats.ts";
import { buildWalkers, type Guard, type Walker } from "./file_walker.ts";
import { checkSize } from "./schema_size.ts";
import type { Schema } from "./schema_walk.ts";

/** A place in a value that holds the path of a file. */
export interface FilePlace {
  /** Keys and indexes from the value's root. */
  readonly path: readonly (string | number)[];
  readonly format: FileFormat;
  /** The text that stands there. */
  readonly value: string;
}

/** Finds the file places of a value that the schema's check has accepted. */
export type FileFinder = (value: unknown) => readonly FilePlace[];

/**
 * Compiles the search for `handler-file` and `handler-output-file` (contract S.10), found by structure: behind `$ref`, in
 * arrays and tuples, in unions, maps and conditions. Of a union only the branches count that accept the value, as the
 * specification has it for what a schema says of a value.
 *
 * @returns undefined where no value of the schema can hold a file
 * @throws {HandlerError} `invalid` where the schema is too large or a branch cannot be compiled
 */
export function compileFileFinder(schema: Schema): FileFinder | undefined {
  checkSize(schema);
  const root = buildWalkers(schema, guards(schema));
  return root && ((value) => {
    const places: FilePlace[] = [];
    visit(value, new Set([root]), [], places);
    return places;
  });
}

/** Every file place of one value; compile a finder for more than one. */
export function findFiles(schema: Schema, value: unknown): readonly FilePlace[] {
  return compileFileFinder(schema)?.(value) ?? [];
}

/** Makes the check of a branch, by its pointer in the schema; compiled only for branches that can hold a file. */
function guards(schema: Schema): (pointer: string) => Guard {
  const ajv = newAjv();
  let added = false;
  return (pointer) => {
    if (!added) ajv.addSchema(schema as object, "handler:root");
    added = true;
    const ref = `handler:root#${encodeURI(pointer).replaceAll("#", "%23").replaceAll("?", "%3F")}`;
    const validate: ValidateFunction = compileWith(ajv, { $ref: ref });
    return (value) => validate(value) === true;
  };
}

function visit(value: unknown, walkers: Set<Walker>, path: (string | number)[], places: FilePlace[]): void {
  const here = inPlace(value, walkers);
  if (typeof value === "string") {
    const formats = new Set(
      [...here].map((walker) => walker.format).filter((format) => format !== undefined),
    );
    for (const format of formats) places.push({ path: [...path], format, value });
  } else if (Array.isArray(value)) {
    value.forEach((part, index) => step(part, index, elementWalkers(here, part, index), path, places));
  } else if (isObject(value)) {
    for (const [key, part] of Object.entries(value)) {
      step(part, key, propertyWalkers(here, key), path, places);
    }
  }
}

function step(
  part: unknown,
  key: string | number,
  walkers: Set<Walker>,
  path: (string | number)[],
  places: FilePlace[],
): void {
  if (walkers.size === 0) return;
  path.push(key);
  visit(part, walkers, path, places);
  path.pop();
}

/** The walkers with those that apply to the same value: references, branches that accept it, conditions. */
function inPlace(value: unknown, walkers: Set<Walker>): Set<Walker> {
  const all = new Set<Walker>();
  const rest = [...walkers];
  for (let walker = rest.pop(); walker; walker = rest.pop()) {
    if (all.has(walker)) continue;
    all.add(walker);
    rest.push(...walker.always);
    for (const branch of walker.branches) if (branch.accepts(value)) rest.push(branch.walker);
    for (const condition of walker.conditions) {
      const next = condition.accepts(value) ? condition.then : condition.otherwise;
      if (next) rest.push(next);
    }
    for (const [key, next] of walker.dependent) {
      if (isObject(value) && Object.hasOwn(value, key)) rest.push(next);
    }
  }
  return all;
}

function elementWalkers(here: Set<Walker>, part: unknown, index: number): Set<Walker> {
  const found = new Set<Walker>();
  for (const walker of here) {
    const next = index < walker.prefixLength ? walker.prefix.get(index) : walker.items;
    if (next) found.add(next);
    if (walker.contains?.accepts(part)) found.add(walker.contains.walker);
  }
  return found;
}

function propertyWalkers(here: Set<Walker>, key: string): Set<Walker> {
  const found = new Set<Walker>();
  for (const walker of here) {
    const own = walker.properties.get(key);
    if (own) found.add(own);
    for (const [pattern, next] of walker.patterns) if (pattern.test(key)) found.add(next);
    if (walker.additional && !walker.isKnown(key)) found.add(walker.additional);
  }
  return found;
}
