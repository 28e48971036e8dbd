import type { Clock } from "../../base/mod.ts";
import { delay } from "../../base/mod.ts";
import type { Limits } from "./cgroup.ts";
import { watchTree } from "./watchdog.ts";

const EVERY_MS = 50;

/** What a person is told where the watchdog stands in for the kernel. */
export const WATCHDOG_SAYS =
  "this user has no control groups: a watchdog ends a sandbox that takes too much memory or too many processes, " +
  `up to ${EVERY_MS} ms late`;

/** A watchdog that waits until there is a process to watch. */
export interface Guard {
  /** Whether it ended the tree for its memory. */
  outOfMemory(): boolean;
  stop(): void;
}

/**
 * Watches the tree below the process that `findRoot` gives, once it gives one, and calls `kill` when the tree holds more
 * than it may.
 */
export function guard(
  options: {
    readonly findRoot: () => Promise<number | undefined>;
    readonly limits: Limits;
    readonly clock: Clock;
    readonly kill: () => Promise<void>;
  },
): Guard {
  let [memory, stopped, stop] = [false, false, () => {}];
  const end = (what: "memory" | "pids") => {
    memory = what === "memory";
    void options.kill();
  };
  void (async () => {
    for (let tries = 0; tries < 5000 && !stopped; tries++) {
      const rootPid = await options.findRoot().catch(() => undefined);
      if (rootPid !== undefined) {
        stop = watchTree({ ...options, rootPid, everyMs: EVERY_MS, exceeded: end });
        return;
      }
      await delay(5);
    }
  })();
  return {
    outOfMemory: () => memory,
    stop() {
      stopped = true;
      stop();
    },
  };
}

/**
 * What `ulimit` can hold where there is no control group: the processes of the user inside, whom the kernel counts for
 * each user namespace by himself (root is never counted), and the memory that one process may hold for itself.
 */
export function ulimitsFor(
  limits: Limits,
  root: boolean,
): readonly (readonly [name: "d" | "u", value: number])[] {
  const data = ["d", Math.ceil((limits.memoryBytes + (256 << 20)) / 1024)] as const;
  return root ? [data] : [data, ["u", limits.pids]];
}
