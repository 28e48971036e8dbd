import { deepFreeze, HandlerError, ProblemList } from "../base/mod.ts";
import { found } from "./found.ts";
import type { Kind } from "./kind.ts";
import { LineIndex } from "./line_index.ts";
import { type PathProblem, Reading } from "./reading.ts";
import { offsetOf, outlineToml, type TomlOutline } from "./toml_outline.ts";
import { formatPath, type TomlPath } from "./toml_path.ts";
import { parseToml, type TomlTable, tomlText } from "./toml_text.ts";

/** What {@linkcode decodeToml} is told besides the text. */
export interface DecodeOptions<T> {
  /** The file's name as errors show it. */
  readonly file: string;
  /** `agent` for files of `handler.agent/v1`; undefined for a file whose shape reads `apiVersion` itself. */
  readonly kind: string | undefined;
  readonly shape: Kind<T>;
}

/** A decoded file, and a way to say what is wrong in it later: a reference to something that is not there. */
export interface Decoded<T> {
  /** Frozen, with all it holds; undefined where a value is missing or wrong. */
  readonly record: T | undefined;
  /** In the order of lines, each with file, line, column and key. A file with problems must not be used. */
  readonly problems: readonly HandlerError[];
  problem(path: TomlPath, message: string, hint?: string): HandlerError;
}

/**
 * Reads a TOML file strictly: `apiVersion`, then every key by its kind.
 * @throws {ProblemList} with every problem of the file in the order of its lines, each with file, line, column, key.
 */
export function decodeToml<T>(source: string | Uint8Array, options: DecodeOptions<T>): T {
  const { record, problems } = decodeTomlFile(source, options);
  if (problems.length > 0) throw new ProblemList(options.file, problems);
  if (record === undefined) {
    throw new HandlerError("internal", `${options.file} was refused without a reason`);
  }
  return record;
}

/**
 * As {@linkcode decodeToml}, for a caller that checks more than one file can say: the record is there already where
 * only its small print is wrong (an unknown key, say), so that all can be told at once.
 * @throws {ProblemList} where the text is no TOML or no UTF-8
 */
export function decodeTomlFile<T>(source: string | Uint8Array, options: DecodeOptions<T>): Decoded<T> {
  const { file, kind, shape } = options;
  const text = tomlText(source, file);
  const document = parseToml(text, file);
  const locate = locator(text, file);
  const found: PathProblem[] = [];
  const { apiVersion: _, ...rest } = document;
  const readable = kind === undefined || checkVersion(document, kind, found);
  const fields = kind === undefined ? document : rest;
  const record = readable ? shape.read(fields, new Reading([], found)) : undefined;
  return {
    record: deepFreeze(record),
    problems: inOrder(found.map(locate)),
    problem: (path, message, hint) => locate({ path, message, hint }),
  };
}

/** Turns paths into lines; the text is looked through only when there is something to say. */
function locator(text: string, file: string): (problem: PathProblem) => HandlerError {
  let known: { readonly outline: TomlOutline; readonly lines: LineIndex } | undefined;
  return ({ path, message, hint }) => {
    known ??= { outline: outlineToml(text), lines: new LineIndex(text) };
    const place = known.lines.place(offsetOf(known.outline, path));
    const key = path.length > 0 ? { key: formatPath(path) } : {};
    return new HandlerError("invalid", message, { where: { file, ...place, ...key }, ...(hint && { hint }) });
  };
}

function inOrder(problems: readonly HandlerError[]): readonly HandlerError[] {
  const place = (problem: HandlerError) => [problem.where?.line ?? 0, problem.where?.column ?? 0] as const;
  return problems.toSorted((a, b) => place(a)[0] - place(b)[0] || place(a)[1] - place(b)[1]);
}

/** Notes what is wrong with `apiVersion`; whether the rest of the file can be read as this kind all the same. */
function checkVersion(document: TomlTable, kind: string, problems: PathProblem[]): boolean {
  const wanted = `handler.${kind}/v1`;
  const at = new Reading(["apiVersion"], problems);
  const value = Object.hasOwn(document, "apiVersion") ? document["apiVersion"] : undefined;
  if (value === wanted) return true;
  if (value === undefined) {
    at.problem(`is missing, must be "${wanted}"`, `begin the file with apiVersion = "${wanted}"`);
    return true;
  }
  const parts = typeof value === "string" ? /^handler\.([a-z]+)\/v([1-9][0-9]{0,5})$/.exec(value) : null;
  if (parts?.[1] === kind) {
    at.problem(
      `must be "${wanted}", found the newer ${found(value)}`,
      "update Handler, or write the file for v1",
    );
  } else if (parts) {
    at.problem(`must be "${wanted}", found ${found(value)}`, `this is the file of another kind: ${parts[1]}`);
  } else {
    at.problem(`must be "${wanted}", found ${found(value)}`);
  }
  return false;
}
