import { env, run, statIfThere } from "../../src/platform/mod.ts";
import { ROOT } from "../../tools/repository.ts";
import { type HandlerProgram, SOURCE } from "./daemon.ts";
import type { Context } from "./section.ts";

/** The compiled file: the one that was named, the one that is there, else one that is made where that works. */
export async function compiled({ program, say }: Context): Promise<HandlerProgram> {
  if (program.kind === "compiled") return program;
  const file = `${ROOT}/dist/handlerd`;
  if (!await statIfThere(file) && env("DENORT_BIN")) {
    say("compiling handlerd");
    const { code, stderr } = await run(["bash", `${ROOT}/compile.sh`], {
      inheritEnv: true,
      env: { DENO: env("DENO") ?? Deno.execPath() },
      timeoutMs: 300_000,
    });
    if (code !== 0) say(`compile.sh ended with ${code}: ${stderr.trim().split("\n").at(-1)}`);
  }
  return await statIfThere(file) ? { kind: "compiled", argv: [file] } : SOURCE;
}

/** A remark that begins with what ran. */
export function remark({ kind }: HandlerProgram, why: string): string {
  return `${kind === "compiled" ? "the compiled file" : "from source, there is no dist/handlerd"}; ${why}`;
}
