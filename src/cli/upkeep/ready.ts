import { type Clock, delay, within } from "../../base/mod.ts";
import { type Client, connectClient, type Status } from "../../client/mod.ts";

/** What to wait for. */
export interface Awaited {
  readonly socket: string;
  readonly clock: Clock;
  readonly limitMs: number;
  /** Whether an answer is the one that is waited for. */
  readonly wanted: (status: Status) => boolean;
  /** Asked now and then; true ends the waiting early. */
  readonly hopeless: () => Promise<boolean>;
}

const PAUSE_MS = 200;
const ANSWER_MS = 3_000;

/** Asks the daemon for its status until it is the one that is wanted; undefined where it does not become ready in time. */
export async function waitUntilReady(awaited: Awaited): Promise<Status | undefined> {
  const { socket, clock, limitMs, wanted, hopeless } = awaited;
  const until = clock.monotonic() + limitMs;
  while (clock.monotonic() < until) {
    const status = await statusOf(socket, Math.min(ANSWER_MS, until - clock.monotonic()));
    if (status && wanted(status)) return status;
    if (!status && await hopeless()) return undefined;
    await delay(PAUSE_MS);
  }
  return undefined;
}

/** What the daemon says of itself; undefined where none answers in time. Each time over a connection of its own. */
export async function statusOf(socket: string, limitMs = ANSWER_MS): Promise<Status | undefined> {
  const daemon: Client = connectClient(socket);
  try {
    return await within(limitMs, "asking handlerd", daemon.status());
  } catch {
    return undefined;
  } finally {
    daemon[Symbol.dispose]();
  }
}
