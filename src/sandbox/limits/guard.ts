import { type Clock, delay } from "../../base/mod.ts";
import { descendantsOf, run } from "../../platform/mod.ts";
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
        await limitProcesses(rootPid, options.limits).catch(() => {}); // without prlimit the watchdog is alone
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
 * What one process may hold for itself where there is no control group, in bytes. V8 alone reserves half a gigabyte that
 * it never touches, so this is far above the limit proper; it is for what grows too quickly for a watchdog.
 */
export function dataLimit({ memoryBytes }: Limits): number {
  return memoryBytes + (1 << 30);
}

/**
 * Limits the processes of the user inside, whom the kernel counts for each user namespace by himself. It can be done
 * only from outside and after the start: before, the person's own processes would count. Root is never counted.
 */
async function limitProcesses(rootPid: number, { pids }: Limits): Promise<void> {
  for (const pid of [rootPid, ...await descendantsOf(rootPid)]) {
    await run(["prlimit", "--pid", String(pid), `--nproc=${pids}:${pids}`], { inheritEnv: true });
  }
}
