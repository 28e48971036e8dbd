import { HandlerError, isObject, type Json, ProblemList } from "../base/mod.ts";
import {
  formatPath,
  type Kind,
  type PathProblem,
  Reading,
  type TomlPath,
  type TomlValue,
} from "../schema/mod.ts";

/** The most bytes that a request may carry. */
export const BODY_LIMIT = 4 * 1024 * 1024;

/** The most bytes of a file that is put into a thread. */
export const FILE_LIMIT = 64 * 1024 * 1024;

/** Any value of JSON. */
export const anyJson: Kind<Json> = { rule: "a value of JSON", read: (value) => value as Json };

/**
 * The JSON body of a request, read strictly: every problem with the path of its key. `null` stands nowhere but in the
 * keys of `free`, whose values are the caller's own.
 * @throws {HandlerError} `usage` where it is no JSON, {@linkcode ProblemList} where it breaks the shape
 */
export async function readBody<T>(
  request: Request,
  shape: Kind<T>,
  free: readonly string[] = [],
): Promise<T> {
  const value = await parsed(request);
  const found: PathProblem[] = nullsIn(value, [], free).map((path) => ({
    path,
    message: "must not be null",
    hint: "leave the key out",
  }));
  const body = found.length === 0 ? shape.read(asToml(value, free), new Reading([], found)) : undefined;
  if (found.length > 0) throw new ProblemList("the request's body", found.map(toError));
  return body as T;
}

async function parsed(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new HandlerError("usage", `the body must be application/json, found ${type ?? "no Content-Type"}`);
  }
  try {
    return JSON.parse(await request.text());
  } catch (error) {
    if (error instanceof SyntaxError) throw new HandlerError("usage", "the body must be JSON and is not");
    throw error;
  }
}

function nullsIn(value: unknown, path: TomlPath, free: readonly string[]): readonly TomlPath[] {
  if (value === null) return [path];
  if (Array.isArray(value)) return value.flatMap((part, index) => nullsIn(part, [...path, index], free));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    path.length === 0 && free.includes(key) ? [] : nullsIn(part, [...path, key], free)
  );
}

/** The value as the kinds of TOML read it, whose integers are bigints; what is the caller's own stays as it is. */
function asToml(value: unknown, free: readonly string[] = []): TomlValue {
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map((part) => asToml(part));
  if (!isObject(value)) return value as TomlValue;
  const pairs = Object.entries(value).map(([key, part]) => [key, free.includes(key) ? part : asToml(part)]);
  return Object.fromEntries(pairs) as TomlValue;
}

function toError({ path, message, hint }: PathProblem): HandlerError {
  const key = path.length > 0 ? { where: { key: formatPath(path) } } : {};
  return new HandlerError("invalid", message, { ...key, ...(hint && { hint }) });
}
