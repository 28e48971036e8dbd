import { errorText, HandlerError } from "../base/mod.ts";

/** Why something does not work, with what a person may do about it. */
export function reasonWithHint(error: unknown): string {
  const hint = error instanceof HandlerError && error.hint ? ` (${error.hint})` : "";
  return errorText(error) + hint;
}
