import { run } from "../../src/platform/mod.ts";

/** The files that a program loads before it runs. */
export async function inspectLibraries(program: string): Promise<readonly string[]> {
  const { stdout } = await run(["ldd", program], { inheritEnv: true });
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = ""]) => path);
}
