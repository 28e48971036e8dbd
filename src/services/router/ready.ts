import { delay, HandlerError } from "../../base/mod.ts";
import type { Sandbox } from "../../sandbox/mod.ts";
import { Upstream } from "./upstream.ts";

/** A connector gets this long from its start to its first answer. */
const START_LIMIT_MS = 30_000;

/** The largest answer that is taken from a connector while it starts. */
const HANDSHAKE_LIMIT = 1024 * 1024;

/**
 * Waits until a connector answers at its socket and serves every tool that its interfaces will ask it for.
 * @throws {HandlerError} `unavailable` where it ends first, `timeout`, `invalid` where it lacks a tool
 */
export async function untilReady(
  required: readonly string[],
  sandbox: Sandbox,
  socket: string,
): Promise<void> {
  let gone: string | undefined;
  void sandbox.exited.then((exit) => gone = `it ended with ${exit.code} (${exit.reason}) before it answered`);
  const end = performance.now() + START_LIMIT_MS;
  for (let pause = 2;; pause = Math.min(pause * 2, 50)) {
    if (gone !== undefined) throw new HandlerError("unavailable", gone);
    if (performance.now() > end) {
      throw new HandlerError("timeout", `it did not answer within ${START_LIMIT_MS} ms`);
    }
    const upstream = await Upstream.connect(socket, HANDSHAKE_LIMIT, START_LIMIT_MS).catch(() => undefined);
    if (upstream) return await checkTools(required, upstream);
    await delay(pause);
  }
}

async function checkTools(required: readonly string[], upstream: Upstream): Promise<void> {
  try {
    const served = await upstream.tools();
    const missing = required.filter((tool) => !served.includes(tool));
    if (missing.length > 0) {
      throw new HandlerError("invalid", `it does not serve ${missing.join(", ")}, which its interfaces have`);
    }
  } finally {
    upstream.close();
  }
}
