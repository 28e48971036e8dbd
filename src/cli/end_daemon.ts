import { delay, HandlerError } from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import { processMark } from "../platform/mod.ts";

const TRIES = 200;
const PAUSE_MS = 100;

/** Asks the daemon to end and waits until it has. */
export async function endDaemon(daemon: Client): Promise<void> {
  const { pid } = await daemon.status();
  const mark = await processMark(pid);
  await daemon.shutDown();
  for (let tries = 0; tries < TRIES; tries++) {
    if (await hasEnded(daemon, pid, mark)) return;
    await delay(PAUSE_MS);
  }
  throw new HandlerError("timeout", `handlerd did not end in ${TRIES * PAUSE_MS / 1000} s`);
}

/** The process tells; its socket does only where the process cannot be seen: to ask there may start another daemon. */
async function hasEnded(daemon: Client, pid: number, mark: string | undefined): Promise<boolean> {
  if (mark !== undefined) return await processMark(pid) !== mark;
  return await daemon.status().then((now) => now.pid !== pid, (error) => error.kind === "unreachable");
}
