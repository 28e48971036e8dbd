import type { Clock } from "../../base/mod.ts";
import { descendantsOf, privateBytes } from "../../platform/mod.ts";
import type { Limits } from "./cgroup.ts";

/**
 * Looks at a tree of processes every `everyMs` and ends it when it holds more memory or processes than it may. It is
 * for machines where the kernel's control groups are out of reach; between two looks more can be taken.
 */
export function watchTree(
  options: {
    readonly rootPid: number;
    readonly limits: Limits;
    readonly everyMs: number;
    readonly clock: Clock;
    /** Called once. */
    readonly exceeded: (what: "memory" | "pids") => void;
  },
): () => void {
  const { rootPid, limits, everyMs, clock } = options;
  let stopped = false;
  let cancel = () => {};
  const look = async () => {
    const pids = [rootPid, ...await descendantsOf(rootPid)];
    const over = await exceeded(pids, limits);
    if (stopped) return;
    if (over) return options.exceeded(over);
    cancel = clock.after(everyMs, () => void look());
  };
  cancel = clock.after(everyMs, () => void look());
  return () => {
    stopped = true;
    cancel();
  };
}

async function exceeded(pids: readonly number[], limits: Limits): Promise<"memory" | "pids" | undefined> {
  if (pids.length > limits.pids) return "pids";
  const sizes = await Promise.all(pids.map(privateBytes));
  return sizes.reduce((sum, size) => sum + size, 0) > limits.memoryBytes ? "memory" : undefined;
}
