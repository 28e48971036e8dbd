import { formatWhere, HandlerError, ProblemList } from "../../base/mod.ts";
import type { Problem } from "../../api/mod.ts";

/** An error as the API shows a problem of a file; a list gives one each. */
export function problemsOf(error: HandlerError): readonly Problem[] {
  if (error instanceof ProblemList) return error.problems.flatMap(problemsOf);
  const where = formatWhere(error.where).replace(/: $/, "");
  return [{ where, message: error.message, hint: error.hint ?? null }];
}
