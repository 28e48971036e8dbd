/** Something that Deno's permissions alone do not stop: its name in the escape suite, and a sentence for a person. */
export interface NotStopped {
  readonly escape: string;
  /** Whether the suite tries it by that name; the others have tests of their own. */
  readonly suite: boolean;
  readonly says: string;
}

/** What the deno driver cannot stop; the suite of escapes in `tests/sandbox` holds it to the truth. */
export const NOT_STOPPED: readonly NotStopped[] = [
  {
    escape: "symlink planted in a writable mount",
    suite: true,
    says: "a link in a folder that the program may read leads it to any file of the person's",
  },
  {
    escape: "memory bomb",
    suite: true,
    says: "memory outside the JavaScript heap (buffers, WebAssembly) has no limit",
  },
  {
    escape: "allowed host dialled past handlerd",
    suite: false,
    says: "a raw connection to an allowed host goes out unrecorded, whatever address its name leads to",
  },
  {
    escape: "program with run permission",
    suite: false,
    says: "a program that may start others starts them with every right of the person's",
  },
  {
    escape: "same user",
    suite: false,
    says: "it runs as the person's own user: a hole in Deno's permissions is a hole to everything",
  },
];
