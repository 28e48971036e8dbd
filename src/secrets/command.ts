import type { Clock } from "../base/mod.ts";
import { concatBytes, HandlerError } from "../base/mod.ts";
import { endGroup, start, wholeEnv } from "../platform/mod.ts";
import type { Found } from "./reference.ts";
import { MAX_SECRET_BYTES } from "./value.ts";

type Child = ReturnType<typeof start>;

/** How long a command may take to print a secret, in milliseconds (contract F). */
export const COMMAND_LIMIT_MS = 10_000;

/**
 * What a command of the person's prints, run with their whole environment. Its error output goes nowhere: it may hold
 * what must not be seen. Only the program's name is ever told, not its arguments.
 */
export async function fromCommand(argv: readonly string[], clock: Clock, input?: Uint8Array): Promise<Found> {
  const program = argv[0] ?? "";
  let child: Child;
  try {
    child = start(argv, { env: wholeEnv(), stderr: "null", stdin: input ? "piped" : "null" });
  } catch (error) {
    const missing = error instanceof HandlerError && error.kind === "not_found";
    return {
      why: missing ? `the program ${program} is not on this machine` : `${program} could not be started`,
    };
  }
  return await collect(child, program, clock, input);
}

async function collect(
  child: Child,
  program: string,
  clock: Clock,
  input: Uint8Array | undefined,
): Promise<Found> {
  let why: string | undefined;
  const end = (reason: string) => {
    why ??= reason;
    endGroup(child.pid, "SIGKILL");
  };
  const forget = clock.after(
    COMMAND_LIMIT_MS,
    () => end(`${program} took more than ${COMMAND_LIMIT_MS / 1000} s`),
  );
  try {
    const [bytes] = await Promise.all([
      readUpTo(child, () => end(`${program} printed too much`)),
      feed(child, input),
    ]);
    const { code } = await child.status;
    if (why !== undefined) return { why };
    return code === 0 ? { bytes } : { why: `${program} ended with code ${code}` };
  } finally {
    forget();
  }
}

async function readUpTo(child: Child, tooMuch: () => void): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of child.stdout) {
    size += part.length;
    if (size > MAX_SECRET_BYTES + 2) tooMuch();
    else parts.push(part);
  }
  return concatBytes(parts);
}

async function feed(child: Child, input: Uint8Array | undefined): Promise<void> {
  if (!input) return;
  const writer = child.stdin.getWriter();
  try {
    await writer.write(input);
    await writer.close();
  } catch {
    // it did not read it all; its exit code says whether that matters
  }
}
