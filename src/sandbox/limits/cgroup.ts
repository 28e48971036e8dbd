import { join } from "node:path";
import { delay, HandlerError } from "../../base/mod.ts";
import {
  isMissing,
  makeFolder,
  readTextIfThere,
  removeEmptyFolder,
  run,
  signalProcess,
  writeKernelFile,
} from "../../platform/mod.ts";

/** What one sandbox may use. */
export interface Limits {
  readonly memoryBytes: number;
  readonly pids: number;
  readonly cpus?: number | undefined;
}

/** A control group of one sandbox: the kernel holds its limits. */
export interface ControlGroup {
  /** The folders (one under version 2, one a controller under version 1); a process joins by `cgroup.procs`. */
  readonly folders: readonly string[];
  /** How often the kernel ended a process of it for want of memory. */
  outOfMemoryKills(): Promise<number>;
}

/** Where control groups can be made on this machine. */
export interface ControlGroups {
  readonly version: 1 | 2;
  make(name: string, limits: Limits): Promise<ControlGroup>;
}

const ROOT = "/sys/fs/cgroup";
/** Swap is counted with the memory, so that a limit is one. */
type Setting = readonly [file: string, value: string, needed: boolean];

/** Finds where this user can make groups with memory and process limits, by making one; undefined where nowhere. */
export async function findControlGroups(instance: string): Promise<ControlGroups | undefined> {
  const membership = await readTextIfThere("/proc/self/cgroup") ?? "";
  for (const groups of [version2(membership, instance), version1(membership, instance)]) {
    if (groups && await works(groups)) return groups;
  }
  return undefined;
}

async function works(groups: ControlGroups): Promise<boolean> {
  try {
    const { folders } = await groups.make("probe", { memoryBytes: 64 << 20, pids: 16 });
    const join = 'for group; do echo $$ > "$group/cgroup.procs" || exit 1; done';
    const { code } = await run(["/bin/sh", "-c", join, "handler-probe", ...folders], { timeoutMs: 5000 });
    await removeGroup(folders);
    return code === 0;
  } catch {
    return false;
  }
}

function version2(membership: string, instance: string): ControlGroups | undefined {
  const own = /^0::(\/.*)$/m.exec(membership)?.[1];
  if (own === undefined) return undefined;
  // a group that holds processes cannot hand its controllers down, so the new ones stand beside the daemon's own
  const parents = [...new Set([join(ROOT, own, ".."), ROOT])].filter((path) => path.startsWith(ROOT));
  return {
    version: 2,
    async make(name, limits) {
      const folder = await firstUsable(parents, groupName(instance, name), limits);
      return existingGroup([folder]);
    },
  };
}

async function firstUsable(parents: readonly string[], name: string, limits: Limits): Promise<string> {
  let last: unknown;
  for (const parent of parents) {
    const folder = join(parent, name);
    try {
      await handDown(parent);
      await makeGroup(folder, settings2(limits));
      return folder;
    } catch (error) {
      last = error;
      await removeGroup([folder]);
    }
  }
  throw last;
}

/** Lets the groups below a parent have the controllers, where the parent does not yet; it may refuse. */
async function handDown(parent: string): Promise<void> {
  const file = join(parent, "cgroup.subtree_control");
  const there = (await readTextIfThere(file) ?? "").split(/\s+/);
  const missing = ["memory", "pids", "cpu"].filter((controller) => !there.includes(controller));
  for (const controller of missing) await writeKernelFile(file, `+${controller}`).catch(() => {});
}

function settings2({ memoryBytes, pids, cpus }: Limits): readonly Setting[] {
  return [
    ["memory.max", String(memoryBytes), true],
    ["memory.swap.max", "0", false],
    ["memory.oom.group", "1", false],
    ["pids.max", String(pids), true],
    ...(cpus === undefined ? [] : [["cpu.max", `${Math.round(cpus * 100_000)} 100000`, false] as const]),
  ];
}

function version1(membership: string, instance: string): ControlGroups | undefined {
  const own = (controller: string) =>
    new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(/.*)$`, "m").exec(membership)?.[1];
  if (own("memory") === undefined || own("pids") === undefined) return undefined;
  return {
    version: 1,
    async make(name, limits) {
      const folders: string[] = [];
      try {
        for (const [controller, settings] of Object.entries(settings1(limits))) {
          const folder = join(ROOT, controller, own(controller) ?? "/", groupName(instance, name));
          folders.push(folder);
          await makeGroup(folder, settings);
        }
      } catch (error) {
        await removeGroup(folders);
        throw error;
      }
      return existingGroup(folders);
    },
  };
}

function settings1({ memoryBytes, pids, cpus }: Limits): Record<string, readonly Setting[]> {
  return {
    memory: [
      ["memory.limit_in_bytes", String(memoryBytes), true],
      ["memory.memsw.limit_in_bytes", String(memoryBytes), false],
    ],
    pids: [["pids.max", String(pids), true]],
    ...(cpus === undefined ? {} : {
      cpu: [
        ["cpu.cfs_period_us", "100000", false],
        ["cpu.cfs_quota_us", String(Math.round(cpus * 100_000)), false],
      ],
    }),
  };
}

/** A group that was made before, maybe by an earlier daemon. */
export function existingGroup(folders: readonly string[]): ControlGroup {
  const events = folders.flatMap((
    folder,
  ) => [join(folder, "memory.events"), join(folder, "memory.oom_control")]);
  return {
    folders,
    async outOfMemoryKills() {
      const counts = await Promise.all(events.map((file) => numberIn(file, /^oom_kill (\d+)$/m)));
      return Math.max(...counts);
    },
  };
}

function groupName(instance: string, name: string): string {
  return `handler-${instance}-${name}`;
}

async function makeGroup(folder: string, settings: readonly Setting[]): Promise<void> {
  await removeGroup([folder]);
  await makeFolder(folder);
  for (const [file, value, needed] of settings) {
    try {
      await writeKernelFile(join(folder, file), value);
    } catch (error) {
      if (needed) throw error;
    }
  }
}

/** Ends whatever is in the groups and removes them; what is not there is fine. */
export async function removeGroup(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    for (let tries = 0;; tries++) {
      try {
        await removeEmptyFolder(folder);
        break;
      } catch (error) {
        if (isMissing(error) || (error as { code?: string }).code === "ENOENT") break;
        if (tries === 50) {
          throw new HandlerError("unavailable", `the control group ${folder} could not be removed`);
        }
        for (const pid of await members(folder)) signalProcess(pid, "SIGKILL");
        await delay(20);
      }
    }
  }
}

async function members(folder: string): Promise<readonly number[]> {
  const text = await readTextIfThere(join(folder, "cgroup.procs")).catch(() => "") ?? "";
  return text.split("\n").filter(Boolean).map(Number).filter((pid) => pid > 1);
}

async function numberIn(file: string, pattern: RegExp): Promise<number> {
  return Number(pattern.exec(await readTextIfThere(file) ?? "")?.[1] ?? 0);
}
