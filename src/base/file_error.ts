import type { ErrorKind } from "./error.ts";

/** What the system said of a path, as a person is told it. */
export interface FileError {
  readonly kind: ErrorKind;
  readonly message: string;
}

type Rule = readonly [kind: ErrorKind, message: (path: string) => string];

const MISSING: Rule = ["not_found", (path) => `there is no ${path}`];
const DENIED: Rule = ["denied", (path) => `${path} may not be read or written by this user`];
const EXISTS: Rule = ["conflict", (path) => `${path} is there already`];
const NO_FOLDER: Rule = ["invalid", (path) => `${path} leads through something that is no folder`];
const FOLDER: Rule = ["invalid", (path) => `${path} is a folder`];

const RULES: Readonly<Record<string, Rule>> = {
  ...{ NotFound: MISSING, PermissionDenied: DENIED, AlreadyExists: EXISTS, NotADirectory: NO_FOLDER },
  ...{ IsADirectory: FOLDER, ENOENT: MISSING, EACCES: DENIED, EPERM: DENIED, EEXIST: EXISTS },
  ...{ ENOTDIR: NO_FOLDER, EISDIR: FOLDER },
};

/** An error of the file system that names its path, in words; undefined for any other. */
export function fileError(thrown: unknown): FileError | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const code = "code" in thrown ? String(thrown.code) : "";
  const rule = Object.hasOwn(RULES, thrown.name) ? RULES[thrown.name] : RULES[code];
  const path = /(?:\(os error \d+\): |, )\w+ '(.*?)'(?:$| -> ')/s.exec(thrown.message)?.[1];
  if (!rule || path === undefined) return undefined;
  const [kind, message] = rule;
  return { kind, message: message(path) };
}
