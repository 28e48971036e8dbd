import { run } from "../../src/platform/mod.ts";
import { residentBytes } from "../measure/machine.ts";
import { interleaved, quieter } from "../measure/rounds.ts";
import { median, rounded } from "../measure/stats.ts";
import { compiled, remark } from "./compiled.ts";
import { type HandlerProgram, startHandlerd } from "./daemon.ts";
import { type BenchHome, layHome } from "./home.ts";
import { type Figure, measured } from "./rows.ts";
import type { Context, Section } from "./section.ts";

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
  const why = `${Math.round(first)} ms at the first start, ${Math.round(deno)} ms bare Deno`;
  return measured(READY, Math.round(value), judged(program, value <= 150), {
    peer: BARE,
    ratio: rounded(value / deno),
    why: remark(program, why),
  });
}

async function idle({ folders }: BenchHome, program: HandlerProgram, { quick }: Context): Promise<Figure> {
  await using daemon = await startHandlerd(folders, { program, driver: "auto" });
  await daemon.client.status();
  await new Promise((resolve) => setTimeout(resolve, quick ? 500 : 5000));
  const value = rounded(residentBytes(daemon.pid) / 1e6);
  return measured(IDLE, value, judged(program, value <= 80), {
    why: remark(program, "resident memory, pages of the program's own file included"),
  });
}

/** A figure of the source says nothing of the compiled file. */
function judged({ kind }: HandlerProgram, holds: boolean): boolean | null {
  return kind === "compiled" ? holds : null;
}
