import { fileError } from "./file_error.ts";

/** What went wrong, as a caller can act on it. The command line maps each kind to an exit code. */
export type ErrorKind =
  | "usage" // the caller asked in a way that can never work
  | "invalid" // a file or value breaks a rule; `where` says which
  | "not_found"
  | "conflict" // the state of things forbids it now
  | "denied"
  | "unreachable" // the daemon does not answer
  | "unavailable" // a part that should work does not; trying later may help
  | "timeout"
  | "cancelled"
  | "internal";

/** A place in a file: `line` and `column` count from 1, `key` is a dotted path such as `secrets.api_key`. */
export interface Where {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly key?: string;
}

/** What a {@linkcode HandlerError} is made of besides its message. */
export interface ErrorDetails {
  /** What the person may do about it; kept apart from what happened. */
  readonly hint?: string;
  readonly where?: Where;
  readonly cause?: unknown;
}

/**
 * The one error class of Handler. The message says what was tried, the rule and the value found, without a full
 * stop; the hint stands apart. Text that came from a secret or a payload never goes into either.
 */
export class HandlerError extends Error {
  override readonly name = "HandlerError";
  readonly kind: ErrorKind;
  readonly hint: string | undefined;
  readonly where: Where | undefined;

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.hint = details.hint;
    this.where = details.where;
  }

  /** `file:line:key: message`, as printed to a person. */
  override toString(): string {
    return formatWhere(this.where) + this.message;
  }
}

/** Renders a place as `file:line:key: `, leaving out what is not known; empty when nothing is. */
export function formatWhere(where: Where | undefined): string {
  if (!where) return "";
  const parts = [where.file, where.line, where.key].filter((part) => part !== undefined);
  return parts.length === 0 ? "" : parts.join(":") + ": ";
}

/** Several problems found in one go (a folder of configuration, a manifest), each kept whole. */
export class ProblemList extends HandlerError {
  readonly problems: readonly HandlerError[];

  constructor(what: string, problems: readonly HandlerError[]) {
    super("invalid", `${what}: ${problems.length} problem${problems.length === 1 ? "" : "s"}`);
    this.problems = problems;
  }

  override toString(): string {
    return [this.message, ...this.problems.map((problem) => "  " + problem.toString())].join("\n");
  }
}

/**
 * Anything thrown, as a {@linkcode HandlerError}; what is one already passes through. What the file system says of a path
 * is told in words of our own.
 */
export function asHandlerError(thrown: unknown, tried?: string): HandlerError {
  if (thrown instanceof HandlerError) return thrown;
  const file = fileError(thrown);
  if (file) return new HandlerError(file.kind, file.message, { cause: thrown });
  const text = errorText(thrown);
  return new HandlerError("internal", tried ? `${tried}: ${text}` : text, { cause: thrown });
}

/** The message of anything thrown. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
