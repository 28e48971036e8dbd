import { HandlerError } from "../base/mod.ts";
import { realPath, run } from "../platform/mod.ts";

/** A shared library: where it is looked for, and the file that is there. */
export interface Library {
  readonly path: string;
  readonly file: string;
}

/** The shared libraries that a program of this machine loads, its loader first where it is named (by `ldd`). */
export async function librariesOf(program: string): Promise<readonly Library[]> {
  const { code, stdout, stderr } = await run(["ldd", program], { inheritEnv: true, timeoutMs: 10_000 });
  if (code !== 0) {
    if (/not a dynamic executable|statically linked/.test(stdout + stderr)) return [];
    throw new HandlerError("unavailable", `ldd ${program} failed: ${stderr.trim()}`);
  }
  const paths = stdout.split("\n").map(libraryPath).filter((path) => path !== undefined);
  return await Promise.all([...new Set(paths)].map(async (path) => ({ path, file: await realPath(path) })));
}

function libraryPath(line: string): string | undefined {
  if (/=> not found/.test(line)) {
    throw new HandlerError("unavailable", `a library is missing on this machine: ${line.trim()}`);
  }
  return /=>\s+(\/\S+)/.exec(line)?.[1] ?? /^\s*(\/\S+)\s+\(0x/.exec(line)?.[1];
}
