import { delay, HandlerError } from "../base/mod.ts";
import { requestUnix, statIfThere } from "../platform/mod.ts";
import type { Sandbox } from "../sandbox/mod.ts";

/** Most backends are up within this. */
const QUICK_MS = 1_000;
/** A backend gets this long from its start to a healthy answer, migrations included. */
const START_LIMIT_MS = 60_000;

/**
 * Waits until `GET /api/health` answers 200 (contract H.3: healthy means ready to serve).
 * @throws {HandlerError} `unavailable` as soon as the backend has ended, `timeout`
 */
export async function untilHealthy(sandbox: Sandbox, socket: string): Promise<void> {
  let ended: string | undefined;
  void sandbox.exited.then(({ code, reason }) =>
    ended = `it ended with ${code} (${reason}) before it was healthy`
  );
  const end = performance.now() + START_LIMIT_MS;
  let last = "it did not answer";
  const from = performance.now();
  for (;;) {
    if (ended !== undefined) throw new HandlerError("unavailable", ended);
    if (performance.now() > end) {
      throw new HandlerError("timeout", `${last} within ${START_LIMIT_MS / 1000} s`);
    }
    const status = await askHealth(socket);
    if (status === 200) return;
    if (status !== undefined) last = `GET /api/health answered ${status}`;
    await delay(performance.now() - from < QUICK_MS ? 2 : 50); // who waits for the first answer sees each of them
  }
}

async function askHealth(socket: string): Promise<number | undefined> {
  if (!(await statIfThere(socket))?.isSocket) return undefined;
  try {
    return await requestUnix(socket, "GET", "/api/health", START_LIMIT_MS);
  } catch {
    return undefined;
  }
}
