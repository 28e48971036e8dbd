import { delay, HandlerError } from "../base/mod.ts";
import { requestUnix, statIfThere } from "../platform/mod.ts";
import type { Sandbox } from "../sandbox/mod.ts";

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
  for (let pause = 2;; pause = Math.min(pause * 2, 50)) {
    if (ended !== undefined) throw new HandlerError("unavailable", ended);
    if (performance.now() > end) {
      throw new HandlerError("timeout", `${last} within ${START_LIMIT_MS / 1000} s`);
    }
    const status = await askHealth(socket);
    if (status === 200) return;
    if (status !== undefined) last = `GET /api/health answered ${status}`;
    await delay(pause);
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
