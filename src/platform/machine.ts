import { listFolder, readTextIfThere } from "./files.ts";
import { run } from "./process.ts";

/** Bytes that this user may still write below a path; undefined where the system does not say. */
export async function freeBytes(path: string): Promise<number | undefined> {
  const { statfs } = await import("node:fs/promises");
  return await statfs(path).then(({ bavail, bsize }) => bavail * bsize, () => undefined);
}

/** How many files and connections this process may have open; undefined where there is no such limit. */
export async function openFileLimit(): Promise<number | undefined> {
  const limits = await readTextIfThere("/proc/self/limits").catch(() => undefined);
  const said = limits === undefined
    ? (await run(["/bin/sh", "-c", "ulimit -n"])).stdout.trim()
    : /^Max open files\s+(\S+)/m.exec(limits)?.[1];
  return said === undefined || !/^\d+$/.test(said) ? undefined : Number(said);
}

/** Whether a port of a loopback address can be listened on, or why not; 0 tries the address alone. */
export function tryPort(
  address: "127.0.0.1" | "::1",
  port: number,
): "free" | "taken" | "no such address" | "forbidden" {
  try {
    Deno.listen({ transport: "tcp", hostname: address, port }).close();
    return "free";
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return "taken";
    return error instanceof Deno.errors.PermissionDenied ? "forbidden" : "no such address";
  }
}

/** A process that listens on a port, as far as this user can see it. */
export interface PortHolder {
  readonly pid: number;
  readonly program: string;
}

/** Which process listens on a port of this machine (Linux); undefined where it cannot be seen. */
export async function portHolder(port: number): Promise<PortHolder | undefined> {
  const inodes = new Set<string>();
  for (const file of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    const wanted = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
    for (const line of (await readTextIfThere(file) ?? "").split("\n")) {
      const fields = line.trim().split(/\s+/);
      if (fields[1]?.endsWith(wanted) && fields[3] === "0A") inodes.add(`socket:[${fields[9]}]`);
    }
  }
  return inodes.size === 0 ? undefined : await holderOf(inodes);
}

async function holderOf(inodes: ReadonlySet<string>): Promise<PortHolder | undefined> {
  for (const { name } of await listFolder("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const files = await listFolder(`/proc/${name}/fd`).catch(() => []);
    for (const { name: file } of files) {
      const target = await Deno.readLink(`/proc/${name}/fd/${file}`).catch(() => "");
      if (!inodes.has(target)) continue;
      const program = (await readTextIfThere(`/proc/${name}/comm`).catch(() => undefined) ?? "").trim();
      return { pid: Number(name), program };
    }
  }
  return undefined;
}

/** Whether files can be made in a folder that is there, by making one. */
export async function canWriteIn(folder: string): Promise<boolean> {
  try {
    await Deno.remove(await Deno.makeTempFile({ dir: folder, prefix: ".try-" }));
    return true;
  } catch {
    return false;
  }
}
