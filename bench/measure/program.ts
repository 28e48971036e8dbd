import { endGroup, start, type StartOptions } from "../../src/platform/mod.ts";

/** A program that the bench started and ends with its whole group. */
export interface Running extends AsyncDisposable {
  readonly pid: number;
  /** Milliseconds from its start until its first line that matched. */
  readonly readyMs: number;
}

/** Where a program says that it is ready. */
export interface Ready {
  readonly stream: "stdout" | "stderr";
  readonly line: RegExp;
  readonly limitMs: number;
}

/**
 * Starts a program and waits for its line, where it has one.
 * @throws with what it said where the line never comes
 */
export async function launch(
  argv: readonly string[],
  ready: Ready | undefined,
  options: StartOptions,
): Promise<Running> {
  const began = performance.now();
  const stream = ready?.stream ?? "stderr", other = stream === "stdout" ? "stderr" : "stdout";
  const child = start(argv, { ...options, [stream]: "piped", [other]: "null" });
  const reader = child[stream].pipeThrough(new TextDecoderStream()).getReader();
  if (ready) await lineOf(child, reader, ready, argv);
  const readyMs = performance.now() - began;
  const drained = drain(reader);
  return {
    pid: child.pid,
    readyMs,
    [Symbol.asyncDispose]: async () => {
      endGroup(child.pid, "SIGTERM");
      const kill = setTimeout(() => endGroup(child.pid, "SIGKILL"), 10_000);
      await child.status;
      clearTimeout(kill);
      endGroup(child.pid, "SIGKILL");
      await drained;
    },
  };
}

type TextReader = ReadableStreamDefaultReader<string>;

async function lineOf(
  child: Deno.ChildProcess,
  reader: TextReader,
  { line, limitMs }: Ready,
  argv: readonly string[],
): Promise<void> {
  const late = setTimeout(() => endGroup(child.pid, "SIGKILL"), limitMs);
  let said = "";
  while (!line.test(said)) {
    const { done, value } = await reader.read();
    if (done) {
      const { code } = await child.status;
      throw new Error(`${argv.join(" ")} ended with ${code} before it was ready (${limitMs} ms):\n${said}`);
    }
    said += value;
  }
  clearTimeout(late);
}

/** What it says later is read and dropped, so that it never waits for a reader. */
async function drain(reader: TextReader): Promise<void> {
  while (!(await reader.read()).done);
}
