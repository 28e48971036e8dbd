import type { Clock } from "../../base/mod.ts";
import { closeQuietly, type Connection, writeWhole } from "../../platform/mod.ts";

/** Bytes of one connection as they pass. */
export interface Traffic {
  sent: number;
  received: number;
}

/**
 * Copies between the sandbox (`near`) and the outside (`far`) until both directions have ended, each closed for itself
 * (half-close), or until nothing has passed for `idleMs`.
 *
 * @returns `idle` when it was ended for silence, `broken` when one side was cut off, else `done`.
 */
export async function relay(
  near: Connection,
  far: Connection,
  options: { readonly traffic: Traffic; readonly idleMs: number; readonly clock: Clock },
): Promise<"done" | "idle" | "broken"> {
  const { traffic, idleMs, clock } = options;
  let outcome: "done" | "idle" | "broken" = "done";
  const end = (why: "idle" | "broken") => {
    if (outcome === "done") outcome = why;
    closeQuietly(near);
    closeQuietly(far);
  };
  const watch = idleWatch(clock, idleMs, () => end("idle"));
  const copy = async (from: Connection, to: Connection, way: keyof Traffic) => {
    try {
      await copyHalf(from, to, (count) => {
        traffic[way] += count;
        watch.touch();
      });
    } catch {
      end("broken");
    }
  };
  await Promise.all([copy(near, far, "sent"), copy(far, near, "received")]);
  watch.stop();
  closeQuietly(near);
  closeQuietly(far);
  return outcome;
}

async function copyHalf(from: Connection, to: Connection, passed: (count: number) => void): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  for (;;) {
    const count = await from.read(buffer);
    if (count === null) break;
    await writeWhole(to, buffer.subarray(0, count));
    passed(count);
  }
  await to.closeWrite().catch(() => {}); // the other side may have gone already, which is an end as well
}

function idleWatch(clock: Clock, idleMs: number, fire: () => void): { touch(): void; stop(): void } {
  let last = clock.monotonic();
  let cancel = () => {};
  const arm = (ms: number) => {
    cancel = clock.after(ms, () => {
      const rest = last + idleMs - clock.monotonic();
      if (rest <= 0) fire();
      else arm(rest);
    });
  };
  arm(idleMs);
  return {
    touch: () => last = clock.monotonic(),
    stop: () => cancel(),
  };
}
