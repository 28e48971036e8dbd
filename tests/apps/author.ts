import assert from "node:assert/strict";
import { DENO_VERSION } from "../../src/base/mod.ts";
import { run } from "../../src/platform/mod.ts";
import { denoEnv, denoOf } from "../../tools/denos.ts";

/** Runs `deno task <name>` in an app's folder as its author does, with the Deno that apps run on; gives what it printed. */
export async function task(folder: string, name: string): Promise<string> {
  const argv = [await denoOf(DENO_VERSION), "task", name];
  const { code, stdout, stderr } = await run(argv, { inheritEnv: true, env: denoEnv(), cwd: folder });
  assert.equal(code, 0, `deno task ${name}\n${stdout}${stderr}`);
  return stdout + stderr;
}
