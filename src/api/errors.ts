import { type ErrorKind, HandlerError, ProblemList, type Where } from "../base/mod.ts";

/** An error as it travels; the client makes a `HandlerError` of it again. */
export interface ErrorBody {
  readonly error: WireError;
}

/** The parts of an error. `problems` holds those of a list, each whole. */
export interface WireError {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint: string | null;
  readonly where: Where | null;
  readonly problems: readonly WireError[];
}

/** The HTTP status that stands for each kind. */
export const STATUS: Readonly<Record<ErrorKind, number>> = {
  usage: 400,
  denied: 403,
  not_found: 404,
  conflict: 409,
  invalid: 422,
  cancelled: 499,
  internal: 500,
  unreachable: 502,
  unavailable: 503,
  timeout: 504,
};

/** An error as its parts; the cause stays here. */
export function wireError(error: HandlerError): WireError {
  return {
    kind: error.kind,
    message: error.message,
    hint: error.hint ?? null,
    where: error.where ?? null,
    problems: error instanceof ProblemList ? error.problems.map(wireError) : [],
  };
}

/** The answer to a request that failed. */
export function errorResponse(error: HandlerError, status: number = STATUS[error.kind]): Response {
  const body: ErrorBody = { error: wireError(error) };
  return Response.json(body, { status, headers: { "cache-control": "no-store" } });
}
