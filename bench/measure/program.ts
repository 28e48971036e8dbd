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

/** Starts a program and waits for its line. @throws with what it said where the line never comes */
export async function launch(argv: readonly string[], ready: Ready, options: StartOptions): Promise<Running> {
  const began = performance.now();
  const other = ready.stream === "stdout" ? "stderr" : "stdout";
  const child = start(argv, { ...options, [ready.stream]: "piped", [other]: "null" });
  const late = setTimeout(() => endGroup(child.pid, "SIGKILL"), ready.limitMs);
  let said = "";
  let readyMs = NaN;
  const reader = child[ready.stream].pipeThrough(new TextDecoderStream()).getReader();
  while (Number.isNaN(readyMs)) {
    const { done, value } = await reader.read();
    if (done) break;
    said += value;
    if (ready.line.test(said)) readyMs = performance.now() - began;
  }
  clearTimeout(late);
  if (Number.isNaN(readyMs)) {
    await child.status;
    throw new Error(`${argv.join(" ")} was not ready in ${ready.limitMs} ms:\n${said}`);
  }
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

/** What it says later is read and dropped, so that it never waits for a reader. */
async function drain(reader: ReadableStreamDefaultReader<string>): Promise<void> {
  while (!(await reader.read()).done);
}
