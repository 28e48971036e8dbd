import { join } from "node:path";
import { HandlerError } from "../../base/mod.ts";
import {
  ensureFolder,
  findProgram,
  run,
  statIfThere,
  system,
  userId,
  writeAtomic,
} from "../../platform/mod.ts";
import { type ControlGroups, findControlGroups } from "../limits/cgroup.ts";
import { seccompFilter } from "../seccomp/filter.ts";
import { type SystemFolder, systemFolders } from "../system_folders.ts";
import type { Features, KernelFiles } from "./args.ts";

/** What the driver found on this machine. */
export interface Tools {
  readonly bubblewrap: string;
  readonly features: Features;
  readonly groups: ControlGroups | undefined;
  /** Whether ports below 1024 can be opened to the user inside. */
  readonly lowPorts: boolean;
  readonly system: readonly SystemFolder[];
  readonly kernel: KernelFiles;
  /** Whether the daemon is root, who is then the user inside as the host sees it. */
  readonly root: boolean;
  /** The seccomp filter; undefined on a processor that it is not written for. */
  readonly filterFile: string | undefined;
}

const KERNEL = {
  readOnlyPaths: [
    "/proc/sys",
    "/proc/sysrq-trigger",
    "/proc/irq",
    "/proc/bus",
    "/proc/fs",
    "/proc/mtrr",
    "/proc/driver",
  ],
  emptyFiles: [
    ...["/proc/kcore", "/proc/keys", "/proc/key-users", "/proc/timer_list", "/proc/sched_debug"],
    ...[
      "/proc/kmsg",
      "/proc/kallsyms",
      "/proc/vmallocinfo",
      "/proc/slabinfo",
      "/proc/kpagecount",
      "/proc/kpageflags",
    ],
    ...["/proc/latency_stats", "/proc/timer_stats", "/proc/interrupts", "/proc/allocinfo"],
  ],
  emptyFolders: ["/proc/acpi", "/proc/scsi", "/proc/asound", "/proc/pressure"],
};

/** Finds bubblewrap and tries what it can do. */
export async function findTools(home: string, stateFolder: string): Promise<Tools> {
  const bubblewrap = await findBubblewrap();
  const [features, groups, lowPorts, folders, kernel, filterFile] = await Promise.all([
    findFeatures(bubblewrap),
    findControlGroups(home),
    canOpenLowPorts(bubblewrap),
    systemFolders(),
    kernelFiles(),
    writeFilter(join(stateFolder, "sandboxes")),
  ]);
  return {
    bubblewrap,
    features,
    groups,
    lowPorts,
    system: folders,
    kernel,
    filterFile,
    root: userId() === 0,
  };
}

async function writeFilter(folder: string): Promise<string | undefined> {
  const filter = seccompFilter(system.arch);
  if (!filter) return undefined;
  await ensureFolder(folder);
  const file = join(folder, "filter.bpf");
  await writeAtomic(file, filter);
  return file;
}

async function findBubblewrap(): Promise<string> {
  const found = system.os === "linux" ? await findProgram("bwrap") : undefined;
  if (found) return found;
  throw new HandlerError(
    "unavailable",
    system.os === "linux" ? "bubblewrap (bwrap) is not installed" : "bubblewrap is for Linux alone",
    { hint: "install it: apt install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap" },
  );
}

async function findFeatures(bubblewrap: string): Promise<Features> {
  const { stdout } = await run([bubblewrap, "--version"], { timeoutMs: 5000 });
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(stdout) ?? []).slice(1).map(Number);
  return { sizesAndNoUserNamespaces: major > 0 || minor >= 8 };
}

/** Tries the two nested namespaces for real: some systems forbid the second. */
async function canOpenLowPorts(bubblewrap: string): Promise<boolean> {
  const outer = ["--unshare-user", "--unshare-net", "--uid", "0", "--gid", "0", "--cap-drop", "ALL"];
  const caps = ["--cap-add", "CAP_NET_ADMIN", "--cap-add", "CAP_SETFCAP", "--dev-bind", "/", "/"];
  const inner = [bubblewrap, "--unshare-user", "--uid", "1000", "--gid", "1000", "--ro-bind", "/", "/"];
  const script = `echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start && exec "$@"`;
  const argv = [
    bubblewrap,
    ...outer,
    ...caps,
    "--",
    "/bin/sh",
    "-c",
    script,
    "sh",
    ...inner,
    "--",
    "/bin/sh",
    "-c",
    ":",
  ];
  const { code } = await run(argv, { timeoutMs: 5000 });
  return code === 0;
}

async function kernelFiles(): Promise<KernelFiles> {
  const [readOnlyPaths, emptyFiles, emptyFolders] = await Promise.all([
    thoseThere(KERNEL.readOnlyPaths),
    thoseThere(KERNEL.emptyFiles),
    thoseThere(KERNEL.emptyFolders),
  ]);
  return { readOnlyPaths, emptyFiles, emptyFolders };
}

async function thoseThere(paths: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(paths.map(statIfThere));
  return paths.filter((_, n) => there[n] !== undefined);
}
