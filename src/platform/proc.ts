import { run } from "./process.ts";

/** What tells a process from a later one with the same id; undefined where there is none. */
export async function processMark(pid: number): Promise<string | undefined> {
  if (Deno.build.os === "linux") return (await statFields(pid))?.[19];
  const { code, stdout } = await run(["/bin/ps", "-o", "lstart=", "-p", String(pid)]);
  return code === 0 && stdout.trim() ? stdout.trim() : undefined;
}

/** The fields of `/proc/<pid>/stat` after the name, which may hold anything; the first is the state. */
async function statFields(pid: number): Promise<string[] | undefined> {
  try {
    const text = await Deno.readTextFile(`/proc/${pid}/stat`);
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields;
  } catch {
    return undefined;
  }
}

/** The ids of all processes below one, itself left out (Linux). */
export async function descendantsOf(pid: number): Promise<readonly number[]> {
  const children = await childrenOf(pid);
  const deeper = await Promise.all(children.map(descendantsOf));
  return [...children, ...deeper.flat()];
}

/** The ids of a process's children (Linux). */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  try {
    const tasks = await Array.fromAsync(Deno.readDir(`/proc/${pid}/task`), ({ name }) => name);
    const texts = await Promise.all(
      tasks.map((task) => Deno.readTextFile(`/proc/${pid}/task/${task}/children`).catch(() => "")),
    );
    return texts.flatMap((text) => text.split(" ").filter(Boolean).map(Number));
  } catch {
    return [];
  }
}

/** Ticks of processor time in a second, as the kernel tells them to programs. */
const TICKS = 100;

/**
 * Processor time that a process and all below it have used, in milliseconds, with those below that have ended; undefined
 * where it is gone or this machine does not say (Linux alone does).
 */
export async function cpuMsOf(pid: number): Promise<number | undefined> {
  const own = await statFields(pid);
  const tells = await Deno.stat(`/proc/${pid}/task/${pid}/children`).then(() => true, () => false);
  if (!own || !tells) return undefined;
  const below = await Promise.all((await descendantsOf(pid)).map(statFields));
  const ticks = [own, ...below].flatMap((fields) => fields?.slice(11, 15) ?? []).map(Number);
  return ticks.reduce((sum, count) => sum + count, 0) * 1000 / TICKS;
}

/** Memory that a process has for itself, in bytes: resident pages that are no file's (Linux). */
export async function privateBytes(pid: number): Promise<number> {
  try {
    const status = await Deno.readTextFile(`/proc/${pid}/status`);
    const kib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0);
    return (kib("RssAnon") + kib("RssShmem")) * 1024;
  } catch {
    return 0;
  }
}

/** Sends a signal to one process; false where it is gone. */
export function signalProcess(pid: number, signal: Deno.Signal): boolean {
  try {
    Deno.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Writes to a file of the kernel (`/proc`, `/sys`), which takes a value in one piece. */
export function writeKernelFile(path: string, text: string): Promise<void> {
  return Deno.writeTextFile(path, text, { create: false });
}

/** Makes one folder whose parent is there (a control group). */
export function makeFolder(path: string): Promise<void> {
  return Deno.mkdir(path);
}

/** Removes an empty folder (a control group, whose files do not count). */
export async function removeEmptyFolder(path: string): Promise<void> {
  const { rmdir } = await import("node:fs/promises");
  await rmdir(path);
}
