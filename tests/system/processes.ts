/**
 * Looks at the processes of the machine as a person with root would: what runs below a home, with which arguments and
 * environment.
 * @module
 */

/** A process at the moment of looking. */
export interface Seen {
  readonly pid: number;
  readonly argv: string;
  readonly environ: string;
}

/** Every process that can be looked at, this one left out. */
export async function processes(): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === Deno.pid) continue;
    const read = (file: string) => Deno.readTextFile(`/proc/${pid}/${file}`).catch(() => "");
    const [argv, environ] = [await read("cmdline"), await read("environ")];
    if (argv !== "") seen.push({ pid, argv, environ });
  }
  return seen;
}

/** The processes of connectors whose run folder lies in this home, under a driver without containers. */
export async function connectorsOf(home: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const { pid, environ } of await processes()) {
    if (!environ.includes("HANDLER_CONNECTOR_SOCKET=")) continue;
    const mounts = await Deno.readTextFile(`/proc/${pid}/mountinfo`).catch(() => "");
    if (environ.includes(`${home}/run/c/`) || mounts.includes(`${home}/run/c/`)) found.push(pid);
  }
  return found;
}

/** Every process in a sandbox that sees a connector's run folder of this home; for drivers with mounts. */
export async function insideConnectors(home: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const { pid } of await processes()) {
    const mounts = await Deno.readTextFile(`/proc/${pid}/mountinfo`).catch(() => "");
    if (mounts.includes(`${home}/run/c/`)) found.push(pid);
  }
  return found;
}

/** Whether a process runs; one that has ended and waits for its parent does not. */
export function runs(pid: number): boolean {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return !/^\d+ \(.*\) [ZX]/s.test(stat);
  } catch {
    return false;
  }
}
