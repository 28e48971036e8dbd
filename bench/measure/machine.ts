/**
 * What `/proc` says of the machine and of processes (Linux).
 * @module
 */

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10;

function read(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

interface Entry {
  readonly parent: number;
  readonly ticks: number;
}

function processes(): ReadonlyMap<number, Entry> {
  const all = new Map<number, Entry>();
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = read(`/proc/${name}/stat`);
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ").map(Number);
    if (fields.length < 20) continue;
    const [, parent = 0] = fields;
    all.set(Number(name), { parent, ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) });
  }
  return all;
}

/** Milliseconds that all cores together were busy since the machine started. */
export function machineBusyMs(): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, soft = 0, steal = 0] =
    read("/proc/stat").split("\n")[0]?.split(/\s+/).map(Number) ?? [];
  return (user + nice + system + irq + soft + steal) * TICK_MS;
}

/** Milliseconds of processor time of this process and everything below it. */
export function ownBusyMs(root: number = Deno.pid): number {
  const all = processes();
  const own = new Set([root]);
  for (let grew = true; grew;) {
    grew = false;
    for (const [pid, { parent }] of all) {
      if (own.has(parent) && !own.has(pid)) grew = !!own.add(pid);
    }
  }
  return [...own].reduce((sum, pid) => sum + (all.get(pid)?.ticks ?? 0), 0) * TICK_MS;
}

/** Resident memory of one process in bytes. */
export function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? NaN) * 1024;
}

/** The most resident memory of a process since {@linkcode forgetPeak}, in bytes: the kernel's own mark. */
export function peakBytes(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? NaN) * 1024;
}

/** Sets the peak mark of a process to what it has now. */
export function forgetPeak(pid: number): void {
  Deno.writeTextFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** The machine in a few words, for tables. */
export function machineWords(): string {
  const model = /^model name\s*:\s*(.+)$/m.exec(read("/proc/cpuinfo"))?.[1]?.trim() ?? Deno.build.arch;
  const kernel = Deno.osRelease();
  return `${model}, ${navigator.hardwareConcurrency} cores, Linux ${kernel}, Deno ${Deno.version.deno}`;
}

/** The mean number of programs that wanted a processor in the last minute, the bench's own among them. */
export function loadWords(): string {
  return Deno.loadavg()[0]?.toFixed(1) ?? "unknown";
}
