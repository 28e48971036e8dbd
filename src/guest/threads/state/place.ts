import type { Json } from "../../../base/mod.ts";
import type { DefinitionSet, SubagentEntry, ThreadSnapshot } from "../../../wire/mod.ts";
import type { Run } from "../run.ts";

/** One thread as seen from a run: what every method of a ThreadState starts from. */
export interface Place {
  readonly run: Run;
  readonly thread: ThreadSnapshot;
  /** The run's own thread, and not its parent or a child. */
  readonly isOwn: boolean;
  readonly definitions: DefinitionSet;
}

/** Asks the daemon; what is left out at the end of the arguments is not sent. */
export function ask(at: Place, method: string, ...args: readonly unknown[]): Promise<Json | undefined> {
  return at.run.call(at.thread.threadId, method, trimmed(args));
}

/** As {@linkcode ask}, where nothing and null are the same to the caller. */
export async function askOrNull(at: Place, method: string, ...args: readonly unknown[]): Promise<Json> {
  return await ask(at, method, ...args) ?? null;
}

/** As {@linkcode ask}, without waiting. */
export function fire(at: Place, method: string, ...args: readonly unknown[]): void {
  at.run.fire(at.thread.threadId, method, trimmed(args));
}

function trimmed(args: readonly unknown[]): readonly unknown[] {
  let length = args.length;
  while (length > 0 && args[length - 1] === undefined) length--;
  return length === args.length ? args : args.slice(0, length);
}

/** The children of a place's thread. */
export function childrenOf(at: Place): readonly SubagentEntry[] {
  return at.isOwn ? at.run.children : at.thread.children;
}
