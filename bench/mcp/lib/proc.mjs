// What /proc says of a process tree: CPU time, memory, and the CPU everybody else took meanwhile.
import process from "node:process";
import { readdirSync, readFileSync } from "node:fs";

const read = (path) => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};
const TICK_MS = 10;

function table() {
  const all = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = read(`/proc/${name}/stat`);
    if (!stat) continue;
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    all.set(Number(name), {
      ppid: Number(fields[1]),
      ticks: Number(fields[11]) + Number(fields[12]),
      waited: Number(fields[13]) + Number(fields[14]),
    });
  }
  return all;
}

export function tree(root, all = table()) {
  const pids = [root];
  for (let i = 0; i < pids.length; i++) {
    for (const [pid, entry] of all) if (entry.ppid === pids[i]) pids.push(pid);
  }
  return pids.filter((pid) => all.has(pid));
}

/** CPU milliseconds of the peer (its tree less the backends) and of the backends. */
export function cpuMs(root, isBackend) {
  const all = table();
  let peer = 0, backend = 0;
  for (const pid of tree(root, all)) {
    if (isBackend(read(`/proc/${pid}/cmdline`))) backend += all.get(pid).ticks * TICK_MS;
    else peer += all.get(pid).ticks * TICK_MS;
  }
  return { peer, backend };
}

/** Resident memory in MiB of the peer's tree less the backends: RSS summed, and PSS, which counts shared pages once. */
export function memory(root, isBackend) {
  let rss = 0, pss = 0, processes = 0;
  for (const pid of tree(root)) {
    if (isBackend(read(`/proc/${pid}/cmdline`))) continue;
    const text = read(`/proc/${pid}/smaps_rollup`);
    rss += Number(text.match(/^Rss:\s+(\d+)/m)?.[1] ?? 0);
    pss += Number(text.match(/^Pss:\s+(\d+)/m)?.[1] ?? 0);
    processes++;
  }
  return { rss_mib: +(rss / 1024).toFixed(1), pss_mib: +(pss / 1024).toFixed(1), processes };
}

/** Busy CPU milliseconds of the whole machine (all cores) so far, and of this process with all it started. */
export function machineBusyMs() {
  const [, user, nice, system, , , irq, soft, steal] = read("/proc/stat").split("\n")[0].split(/\s+/).map(
    Number,
  );
  return (user + nice + system + irq + soft + steal) * TICK_MS;
}
export function ownBusyMs(root = process.pid) {
  const all = table();
  let ticks = 0;
  for (const pid of tree(root, all)) ticks += all.get(pid).ticks + all.get(pid).waited;
  return ticks * TICK_MS;
}
