import { type ErrorKind, HandlerError, isObject, ProblemList } from "../base/mod.ts";
import type { WireError } from "../api/mod.ts";

/** A record, so that a new kind is an error here until it is named. */
const KINDS: Readonly<Record<ErrorKind, true>> = {
  usage: true,
  invalid: true,
  not_found: true,
  conflict: true,
  denied: true,
  unreachable: true,
  unavailable: true,
  timeout: true,
  cancelled: true,
  internal: true,
};

/** The error that an answer's body tells of; one that is no such body is named by its status. */
export function errorOf(body: unknown, status: number): HandlerError {
  const error = isObject(body) ? body.error : undefined;
  if (isWireError(error)) return rebuilt(error);
  return new HandlerError(
    "internal",
    `handlerd answered with the status ${status} and no error that is known here`,
  );
}

/** An error as the daemon threw it, its list of problems with it. */
export function rebuilt(error: WireError): HandlerError {
  if (error.problems.length > 0) return new RemoteProblems(error);
  return new HandlerError(error.kind, error.message, {
    ...(error.hint !== null && { hint: error.hint }),
    ...(error.where !== null && { where: error.where }),
  });
}

/** Whether a value has the parts of an error. */
export function isWireError(value: unknown): value is WireError {
  return isObject(value) && typeof value.kind === "string" && Object.hasOwn(KINDS, value.kind) &&
    typeof value.message === "string" && Array.isArray(value.problems);
}

/** A list of problems keeps the message that the daemon gave it. */
class RemoteProblems extends ProblemList {
  constructor(error: WireError) {
    super("", error.problems.map(rebuilt));
    this.message = error.message;
  }
}
