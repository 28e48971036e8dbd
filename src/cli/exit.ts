import type { ErrorKind } from "../base/mod.ts";

/** The exit codes of `handler`. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  denied: 4,
  notFound: 5,
  conflict: 6,
  tryAgain: 75,
} as const;

/** What each code says, for the help. */
export const EXIT_WORDS: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.done, "done"],
  [EXIT.failed, "it failed, or what was checked is not right"],
  [EXIT.usage, "the command line is not right"],
  [EXIT.unreachable, "handlerd does not answer"],
  [EXIT.denied, "it is not allowed"],
  [EXIT.notFound, "there is no such thing"],
  [EXIT.conflict, "the state of things forbids it"],
  [EXIT.tryAgain, "it does not work now; try again later"],
];

/** The exit code that stands for an error. */
export const EXIT_OF: Readonly<Record<ErrorKind, number>> = {
  usage: EXIT.usage,
  invalid: EXIT.failed,
  not_found: EXIT.notFound,
  conflict: EXIT.conflict,
  denied: EXIT.denied,
  unreachable: EXIT.unreachable,
  unavailable: EXIT.tryAgain,
  timeout: EXIT.tryAgain,
  cancelled: EXIT.failed,
  internal: EXIT.failed,
};
