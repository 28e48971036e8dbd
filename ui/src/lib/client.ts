import { asHandlerError, type Client, HandlerError, pageClient, ProblemList } from "$client";

/** The daemon, as this page speaks to it. */
export const client: Client = pageClient();

/** Whatever was thrown, as an error with a kind and a message. */
export function errorFrom(thrown: unknown): HandlerError {
  return asHandlerError(thrown);
}

/** The single problems of an error: those of a list, else itself. */
export function problemsOf(error: HandlerError): readonly HandlerError[] {
  return error instanceof ProblemList ? error.problems.flatMap(problemsOf) : [error];
}

/** What an error says of a form's field: the problems whose key is `field`, or lies inside it. */
export function problemsAt(error: HandlerError | undefined, field: string): readonly HandlerError[] {
  if (!error) return [];
  return problemsOf(error).filter(({ where }) => {
    const key = where?.key;
    return key === field || key?.startsWith(`${field}.`) || key?.startsWith(`${field}[`);
  });
}

/** What remains to be said of an error beside the fields of a form. */
export function problemsElsewhere(
  error: HandlerError | undefined,
  fields: readonly string[],
): readonly HandlerError[] {
  if (!error) return [];
  const said = new Set(fields.flatMap((field) => problemsAt(error, field)));
  return problemsOf(error).filter((problem) => !said.has(problem));
}
