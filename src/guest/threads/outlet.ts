import type { AsyncLocalStorage } from "node:async_hooks";

/** Where what project code prints goes, each line with its thread. */
export interface Outlet {
  /** Runs project code as a thread's. */
  within(thread: string, work: () => Promise<void>): void;
  /** From when this resolves a line's thread is always known; before that, while one thread runs alone. */
  knowThreads(): Promise<void>;
}

const METHODS = ["log", "info", "debug", "warn", "error", "trace", "table", "dir"] as const;
const encoder = new TextEncoder();

/**
 * Takes over the console and the errors that nobody catches: neither may end a process that other threads run in, and
 * both go to the log with the thread that they come from, where that is known.
 */
export function openOutlet(): Outlet {
  let current: AsyncLocalStorage<string> | undefined;
  const running: string[] = [];
  const alone = () => running.every((thread) => thread === running[0]) ? running[0] : undefined;
  const threadNow = () => current ? current.getStore() : alone();
  const say = (text: string) => {
    const thread = threadNow();
    const begin = thread === undefined ? "" : `[${thread}] `;
    writeAll(text.split("\n").map((line) => `${begin}${line}\n`).join(""));
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
  return {
    within(thread, work) {
      if (current) return void current.run(thread, work);
      running.push(thread);
      void work().finally(() => running.splice(running.indexOf(thread), 1));
    },
    async knowThreads() {
      // brought in late: loading it takes as long as starting Deno
      const { AsyncLocalStorage } = await import("node:async_hooks");
      current = new AsyncLocalStorage<string>();
    },
  };
}

function writeAll(text: string): void {
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length;) at += Deno.stderr.writeSync(bytes.subarray(at));
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : Deno.inspect(value, { colors: false });
}

function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.stack ?? thrown.message : shown(thrown);
}
