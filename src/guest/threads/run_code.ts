import type { CodeResult, CodeRun } from "../spec/state.ts";
import type { Run } from "./run.ts";

/** What runs in the worker: the code is the body of an asynchronous function with `input`, `report` and `console`. */
const WORKER = `
const say = (type) => (...args) => postMessage({ type, value: args.length === 1 ? args[0] : args });
const text = (args) => args.map((arg) => typeof arg === "string" ? arg : Deno.inspect(arg)).join(" ");
const log = (...args) => postMessage({ type: "log", value: text(args) });
const console = { log, info: log, warn: log, error: log, debug: log };
onmessage = async ({ data: { source, input } }) => {
  try {
    const AsyncFunction = (async () => {}).constructor;
    const value = await new AsyncFunction("input", "report", "console", source)(input, say("report"), console);
    postMessage({ type: "done", value: value === undefined ? null : JSON.parse(JSON.stringify(value) ?? "null") });
  } catch (error) {
    postMessage({ type: "failed", value: String(error?.message ?? error) });
  }
};
`;

/** What the worker says. */
interface Said {
  readonly type: "report" | "log" | "done" | "failed";
  readonly value: unknown;
}

/** Deno's own addition to the options of a worker. */
type DenoWorkerOptions = WorkerOptions & { readonly deno: { readonly permissions: "none" } };

/**
 * Runs code in a worker without any permission: `input` is what the options give, `report(value)` tells something on the
 * way, what it returns is the result. It ends with the run, at `terminate`, or after `timeoutMs`.
 */
export function runCode(source: string, options: Record<string, unknown>, run: Run): CodeRun {
  const from = performance.now();
  const logs: string[] = [], reports: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<CodeResult>();
  let running = true, timer: ReturnType<typeof setTimeout> | undefined;
  const worker = startWorker();
  const end = (status: string, result: unknown, error?: string) => {
    if (!running) return;
    running = false;
    clearTimeout(timer);
    worker.terminate();
    const durationMs = performance.now() - from;
    resolve({ status, result, logs, reports, durationMs, ...(error === undefined ? {} : { error }) });
  };
  const take = ({ type, value }: Said) => {
    if (type === "report") reports.push(value);
    else if (type === "log") logs.push(String(value));
    else if (type === "done") end("success", value);
    else end("error", null, String(value));
  };
  worker.onmessage = ({ data }: MessageEvent<Said>) => take(data);
  worker.onerror = (event) => {
    event.preventDefault();
    end("error", null, event.message);
  };
  worker.postMessage({ source, input: options.input ?? null });
  const limit = Number(options.timeoutMs);
  if (limit > 0) timer = setTimeout(() => end("timeout", null, `it took more than ${limit} ms`), limit);
  run.atEnd(() => end("terminated", null, "the run that began it is over"));
  return {
    get running() {
      return running;
    },
    reports,
    terminate: (reason) => end("terminated", null, reason ?? "terminated"),
    then: (fulfilled, rejected) => promise.then(fulfilled, rejected),
  };
}

function startWorker(): Worker {
  const options: DenoWorkerOptions = { type: "module", deno: { permissions: "none" } };
  return new Worker(`data:text/javascript,${encodeURIComponent(WORKER)}`, options);
}
