import { nearest } from "../base/mod.ts";
import { TomlDate } from "smol-toml";
import type { Json } from "../base/mod.ts";
import { found, foundType } from "./found.ts";
import type { Kind, ValueOf } from "./kind.ts";
import type { Reading } from "./reading.ts";
import { isTable, type TomlTable, type TomlValue } from "./toml_text.ts";

/** A list of values of one kind; with `unique`, none twice. */
export function list<T>(
  kind: Kind<T>,
  options: { readonly min?: number; readonly max?: number; readonly unique?: boolean } = {},
): Kind<readonly T[]> {
  const { min = 0, max = 10_000 } = options;
  const rule = `a list${min > 0 ? ` of at least ${min}` : ""}, each ${kind.rule}`;
  return {
    rule,
    read(value, at) {
      if (!Array.isArray(value)) return at.problem(`must be ${rule}, found ${found(value)}`);
      if (value.length < min) return at.problem(`must be ${rule}, found ${found(value)}`);
      if (value.length > max) return at.problem(`must hold at most ${max}, found ${value.length}`);
      const taken = value.map((part, index) => kind.read(part, at.in(index)));
      if (options.unique) refuseTwice(value, at);
      return taken.some((part) => part === undefined) ? undefined : taken as T[];
    },
  };
}

function refuseTwice(values: readonly TomlValue[], at: Reading): void {
  const seen = new Set<TomlValue>();
  values.forEach((value, index) => {
    if (seen.has(value)) at.in(index).problem(`must stand once, found ${found(value)} again`);
    seen.add(value);
  });
}

/** One value or a list of them; always read as a list. */
export function oneOrMore<T>(kind: Kind<T>): Kind<readonly T[]> {
  const many = list(kind, { min: 1, unique: true });
  return {
    rule: `${kind.rule}, or a list of them`,
    read(value, at) {
      if (Array.isArray(value)) return many.read(value, at);
      const taken = kind.read(value, at);
      return taken === undefined ? undefined : [taken];
    },
  };
}

/** A table whose keys the person chooses. */
export function map<T>(key: Kind<string>, kind: Kind<T>): Kind<Readonly<Record<string, T>>> {
  const rule = "a table";
  return {
    rule,
    read(value, at) {
      if (!isTable(value)) return at.problem(`must be ${rule}, found ${found(value)}`);
      const parts = Object.entries(value).map(([name, part]) =>
        [key.read(name, at.in(name)), kind.read(part, at.in(name))] as const
      );
      const broken = parts.some(([name, part]) => name === undefined || part === undefined);
      return broken ? undefined : Object.fromEntries(parts as [string, T][]);
    },
  };
}

/** A field of a record: its kind, and what it is where the file leaves it out. */
export interface Field<T> {
  readonly kind: Kind<T>;
  readonly required: boolean;
  readonly fallback: T | undefined;
}

/** A field that the file must give. */
export function required<T>(kind: Kind<T>): Field<T> {
  return { kind, required: true, fallback: undefined };
}

/** A field that the file may leave out. */
export function optional<T>(kind: Kind<T>): Field<T | undefined>;
/** A field that the file may leave out, and what it is then. */
export function optional<T>(kind: Kind<T>, fallback: T): Field<T>;
export function optional<T>(kind: Kind<T>, fallback?: T): Field<T | undefined> {
  return { kind, required: false, fallback };
}

/** The fields of a record by their keys. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The record that some fields make. */
export type RecordOf<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

/** A table with known keys. An unknown one is a problem that names the nearest known one. */
export function record<F extends Fields>(fields: F): Kind<RecordOf<F>> & { readonly fields: F } {
  const rule = "a table";
  return {
    rule,
    fields,
    read(value, at) {
      if (!isTable(value)) return at.problem(`must be ${rule}, found ${found(value)}`);
      refuseUnknown(value, Object.keys(fields), at);
      const parts = Object.entries(fields).map(([key, field]) =>
        [key, readField(value, key, field, at)] as const
      );
      if (parts.some(([, part]) => part === BROKEN)) return undefined;
      return Object.fromEntries(parts) as RecordOf<F>;
    },
  };
}

const BROKEN = Symbol("broken field");

function readField(table: TomlTable, key: string, field: Field<unknown>, at: Reading): unknown {
  const value = Object.hasOwn(table, key) ? table[key] : undefined;
  if (value !== undefined) return field.kind.read(value, at.in(key)) ?? BROKEN;
  if (!field.required) return field.fallback;
  at.in(key).problem(`is missing, must be ${field.kind.rule}`);
  return BROKEN;
}

function refuseUnknown(table: TomlTable, known: readonly string[], at: Reading): void {
  for (const key of Object.keys(table)) {
    if (known.includes(key)) continue;
    const near = nearest(key, known);
    at.in(key).problem(
      "unknown key",
      near ? `did you mean ${JSON.stringify(near)}?` : `the keys here are ${known.join(", ")}`,
    );
  }
}

/** What {@linkcode exactlyOne} reads: which key stood there, and its value. */
export type OneOfKeys<F extends Readonly<Record<string, Kind<unknown>>>> = {
  [K in keyof F]: { readonly kind: K; readonly value: ValueOf<F[K]> };
}[keyof F];

/** A table with exactly one of some keys, such as `{ command = […] }` or `{ file = "…" }`. Values are not shown. */
export function exactlyOne<F extends Readonly<Record<string, Kind<unknown>>>>(kinds: F): Kind<OneOfKeys<F>> {
  const known = Object.keys(kinds);
  const rule = `a table with exactly one of the keys ${known.join(", ")}`;
  return {
    rule,
    read(value, at) {
      if (!isTable(value)) return at.problem(`must be ${rule}, found ${foundType(value)}`);
      const keys = Object.keys(value);
      refuseUnknown(value, known, at);
      if (keys.some((key) => !known.includes(key))) return undefined;
      if (keys.length !== 1) return at.problem(`must be ${rule}, found ${keys.join(" and ") || "none"}`);
      const key = keys[0] as string;
      const taken = kinds[key]?.read(value[key] as TomlValue, at.in(key));
      return taken === undefined ? undefined : { kind: key, value: taken } as OneOfKeys<F>;
    },
  };
}

/** Any value that JSON has too; dates, infinities and integers past 2^53 are none. */
export const json: Kind<Json> = { rule: "a value that JSON has too", read: readJson };

function readJson(value: TomlValue, at: Reading): Json | undefined {
  if (Array.isArray(value)) return whole(value.map((part, index) => readJson(part, at.in(index))));
  if (isTable(value)) {
    const parts = Object.entries(value).map(([key, part]) => [key, readJson(part, at.in(key))] as const);
    return parts.some(([, part]) => part === undefined) ? undefined : Object.fromEntries(parts) as Json;
  }
  const number = typeof value === "bigint" ? Number(value) : value;
  if (number instanceof TomlDate || (typeof number === "number" && !isJsonNumber(number, value))) {
    return at.problem(`must be ${json.rule}, found ${found(value)}`);
  }
  return number as Json;
}

function whole(parts: readonly (Json | undefined)[]): Json | undefined {
  return parts.some((part) => part === undefined) ? undefined : parts as Json[];
}

function isJsonNumber(number: number, from: TomlValue): boolean {
  return typeof from === "bigint" ? Number.isSafeInteger(number) : Number.isFinite(number);
}
