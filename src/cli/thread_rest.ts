import { HandlerError } from "../base/mod.ts";
import type { Client, LogRow, MessageRow, ThreadView, TurnRow, WatchEvent } from "../client/mod.ts";

/** Whether nothing goes on in a thread: no turn, nothing that waits and could go on, no child that works. */
export function atRest({ thread, children, waiting }: ThreadView): boolean {
  if (thread.turn !== null) return false;
  if (thread.terminatedAt !== null) return true;
  if ((waiting > 0 || thread.status === "running") && !thread.stopped) return false;
  return !children.some(({ status }) => status === "running");
}

/** How often a thread is looked at besides, for what no event tells of: a child that comes to rest. */
const LOOK_MS = 500;
const QUIET_LOOKS = 4;

/** What happened while {@linkcode untilRest} waited. */
export interface Waited {
  /** New messages of the conversation that are not silent. */
  readonly messages: readonly MessageRow[];
  readonly failed: TurnRow | undefined;
  /** Why what was said waits and nothing goes on: definitions that are wrong. */
  readonly held: string | undefined;
  readonly view: ThreadView;
}

/**
 * Watches a thread from a revision on until it rests, and gives what came.
 * @param onEvent is told each event
 */
export async function untilRest(
  daemon: Client,
  id: string,
  after: number,
  signal: AbortSignal,
  onEvent: (event: WatchEvent) => void = () => {},
): Promise<Waited> {
  const messages = new Map<string, MessageRow>();
  let failed: TurnRow | undefined, held: string | undefined;
  const rested = new AbortController();
  const stop = AbortSignal.any([signal, rested.signal]);
  let view = await daemon.thread(id);
  let seen = after;
  let quietLooks = 0;
  const look = async () => {
    view = await daemon.thread(id);
    const rests = atRest(view) || (held !== undefined && view.thread.status === "failed");
    quietLooks = rests ? quietLooks : 0;
    // what happened is told of up to the thread's last number; a watcher that is not told is not waited for without end
    if (rests && (seen >= view.thread.seq || quietLooks > QUIET_LOOKS)) rested.abort();
  };
  const timer = setInterval(() => {
    quietLooks++;
    void look().catch(() => {});
  }, LOOK_MS);
  try {
    for await (const event of daemon.threadWatch(id, after, stop)) {
      onEvent(event);
      quietLooks = 0;
      if ("id" in event) seen = Math.max(seen, event.id);
      if (event.event === "change" && event.change.kind === "message") note(messages, event.change.row);
      if (event.event === "change" && event.change.kind === "turn") {
        failed = failure(event.change.row, failed);
        held = undefined;
      }
      if (event.event === "change" && event.change.kind === "log") held = reason(event.change.row) ?? held;
      // not at each of the many that a long thread begins with
      if ((event.event === "thread" || event.event === "change") && seen >= view.thread.seq) await look();
    }
  } finally {
    clearInterval(timer);
  }
  if (signal.aborted && !rested.signal.aborted) throw new HandlerError("cancelled", "nobody waits any more");
  return { messages: [...messages.values()], failed, held, view };
}

/** Why a thread's host or agent is not there, where a row of its log says that. */
function reason({ kind, error }: LogRow): string | undefined {
  return kind === "runtime" && error?.type === "not_started" ? error.message : undefined;
}

function note(messages: Map<string, MessageRow>, row: MessageRow): void {
  if (row.depth > 0 || row.silent) return;
  if (row.deleted) messages.delete(row.id);
  else messages.set(row.id, row);
}

function failure(turn: TurnRow, before: TurnRow | undefined): TurnRow | undefined {
  return turn.state === "failed" || turn.state === "interrupted" ? turn : before;
}
