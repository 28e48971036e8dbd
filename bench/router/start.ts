import { env, run, statIfThere } from "../../src/platform/mod.ts";
import { ROOT } from "../../tools/repository.ts";
import { residentBytes } from "../measure/machine.ts";
import { interleaved, quieter } from "../measure/rounds.ts";
import { median, rounded } from "../measure/stats.ts";
import { type HandlerProgram, SOURCE, startHandlerd } from "./daemon.ts";
import { type BenchHome, layHome } from "./home.ts";
import type { Context, Figure, Section } from "./section.ts";

const READY = "ready", IDLE = "idle-memory";
const BARE = "a Deno that starts and does nothing";

/** How soon handlerd serves, and what it takes at rest. */
export const start: Section = {
  rows: [READY, IDLE],
  async measure(context) {
    const program = await compiled(context);
    const home = await layHome(`${context.root}/start`, { wrapped: undefined });
    const first = await once(home, program);
    return [
      ...context.wanted(READY) ? [await ready(home, program, first, context)] : [],
      ...context.wanted(IDLE) ? [await idle(home, program, context)] : [],
    ];
  },
};

/** The compiled file: the one that was named, the one that is there, else one that is made where that works. */
async function compiled({ program, say }: Context): Promise<HandlerProgram> {
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

/** Milliseconds from the start of the process until it says that it is ready. */
async function once({ folders }: BenchHome, program: HandlerProgram): Promise<number> {
  await using daemon = await startHandlerd(folders, { program, driver: "auto" });
  return daemon.readyMs;
}

async function bareDeno(): Promise<number> {
  const from = performance.now();
  await run([Deno.execPath(), "eval", "--no-config", "0"], { inheritEnv: true });
  return performance.now() - from;
}

async function ready(
  home: BenchHome,
  program: HandlerProgram,
  first: number,
  { quick, say }: Context,
): Promise<Figure> {
  const all = await interleaved({ handlerd: () => once(home, program), deno: bareDeno }, {
    rounds: quick ? 2 : 20,
    limitMs: 40_000,
  });
  const rounds = quieter(all);
  say(`ready: ${rounds.length} of ${all.length} rounds kept`);
  const value = median(rounds.map(({ results }) => results.handlerd));
  const deno = median(rounds.map(({ results }) => results.deno));
  return {
    row: READY,
    value: Math.round(value),
    unit: "ms",
    goal: "≤ 150 ms, compiled",
    ...judged(
      program,
      value <= 150,
      `${Math.round(first)} ms at the first start, ${Math.round(deno)} ms bare Deno`,
    ),
    peer: BARE,
    ratio: rounded(value / deno),
  };
}

async function idle({ folders }: BenchHome, program: HandlerProgram, { quick }: Context): Promise<Figure> {
  await using daemon = await startHandlerd(folders, { program, driver: "auto" });
  await daemon.client.status();
  await new Promise((resolve) => setTimeout(resolve, quick ? 500 : 5000));
  const value = rounded(residentBytes(daemon.pid) / 1e6);
  return {
    row: IDLE,
    value,
    unit: "MB",
    goal: "≤ 80 MB, compiled",
    ...judged(program, value <= 80, "resident memory, pages of the program's own file included"),
  };
}

/** A figure of the source says nothing of the compiled file. */
function judged({ kind }: HandlerProgram, holds: boolean, why: string): Pick<Figure, "holds" | "why"> {
  if (kind === "compiled") return { holds, why: `the compiled file; ${why}` };
  return { holds: null, why: `from source, there is no dist/handlerd; ${why}` };
}
