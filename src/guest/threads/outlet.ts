import { AsyncLocalStorage } from "node:async_hooks";

/** Where what project code prints goes, each line with its thread. */
export interface Outlet {
  /** Runs project code as a thread's. */
  within<T>(thread: string, work: () => T): T;
  /** Writes lines for whoever reads the host's log. */
  say(text: string): void;
}

const METHODS = ["log", "info", "debug", "warn", "error", "trace", "table", "dir"] as const;
const encoder = new TextEncoder();

/**
 * Takes over the console and the errors that nobody catches: neither may end a process that other threads run in, and
 * both go to the log with the thread that they come from, where that is known.
 */
export function openOutlet(): Outlet {
  const current = new AsyncLocalStorage<string>();
  const say = (text: string) => {
    const thread = current.getStore();
    const begin = thread === undefined ? "" : `[${thread}] `;
    const lines = text.split("\n").map((line) => `${begin}${line}\n`).join("");
    Deno.stderr.writeSync(encoder.encode(lines));
  };
  for (const method of METHODS) {
    console[method] = (...args: unknown[]) => say(args.map(shown).join(" "));
  }
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    say(`nobody caught: ${stackOf(event.reason)}`);
  });
  addEventListener("error", (event) => {
    event.preventDefault();
    say(`nobody caught: ${stackOf(event.error ?? event.message)}`);
  });
  return { say, within: (thread, work) => current.run(thread, work) };
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : Deno.inspect(value, { colors: false });
}

function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.stack ?? thrown.message : shown(thrown);
}
