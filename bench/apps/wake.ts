import { delay } from "../../src/base/mod.ts";
import { findProgram } from "../../src/platform/mod.ts";
import { preparePodman } from "../../tools/test/podman.ts";
import { interleaved, quieter } from "../measure/rounds.ts";
import { median, rounded } from "../measure/stats.ts";
import { startDesk } from "./desk.ts";
import { bareBubblewrap, barePodman, type Engine, findSmallweb, plainDeno, smallweb } from "./engines.ts";
import { askOnce } from "./line.ts";
import { type Figure, measured, type RowName, unmeasured } from "./rows.ts";
import type { Context, Section } from "./section.ts";

const MOST_RATIO = 1.3;
/** One that is woken had slept: the kernel is done with what it left. */
const ASLEEP_MS = 300;
const BUBBLEWRAP: RowName = "wake-bubblewrap", PODMAN: RowName = "wake-podman", AHEAD: RowName = "wake-ahead";

/** From a call that finds the backend stopped to the first byte of its answer. */
export const wake: Section = {
  rows: [BUBBLEWRAP, PODMAN, AHEAD],
  async measure(context) {
    return [
      ...context.wanted(BUBBLEWRAP, AHEAD) ? await underBubblewrap(context) : [],
      ...context.wanted(PODMAN) ? [await underPodman(context)] : [],
    ];
  },
};

async function underBubblewrap(context: Context): Promise<readonly Figure[]> {
  if (!await findProgram("bwrap")) {
    return [BUBBLEWRAP, AHEAD].map((row) => unmeasured(row, "bubblewrap is not on this machine"));
  }
  const rounds = context.quick ? 4 : 24;
  const program = await findSmallweb();
  const root = `${context.root}/wake`;
  await using bare = await bareBubblewrap(`${root}/bare`);
  await using plain = await plainDeno(`${root}/plain`);
  await using peer = program ? await smallweb(program, `${root}/smallweb`, rounds + 4) : undefined;
  const engines = { bare, plain, ...(peer ? { smallweb: peer } : {}) };
  const result = await compare(context, "bubblewrap", {}, engines, rounds);
  const { handler, bare: least = NaN, plain: deno = NaN, smallweb: other } = result;
  const figures = [figure(BUBBLEWRAP, handler, least, `plain Deno ${Math.round(deno)} ms`)];
  if (other === undefined) {
    const why = "smallweb is not on this machine: go install github.com/pomdtr/smallweb@latest";
    return [...figures, unmeasured(AHEAD, why)];
  }
  const beside = { peer: "smallweb", ratio: rounded(handler / other) };
  return [...figures, measured(AHEAD, Math.round(handler), handler <= other, beside)];
}

async function underPodman(context: Context): Promise<Figure> {
  const podman = await preparePodman();
  if (!podman.works) return unmeasured(PODMAN, podman.why);
  await using bare = await barePodman(`${context.root}/podman/bare`, podman.env);
  const rounds = context.quick ? 2 : 16;
  const { handler, bare: least = NaN } = await compare(context, "podman", podman.env, { bare }, rounds);
  return figure(PODMAN, handler, least, "bare: the start of a container that was created ahead of time");
}

async function compare(
  { root, program, say }: Context,
  driver: string,
  env: Readonly<Record<string, string>>,
  engines: Readonly<Record<string, Engine>>,
  rounds: number,
): Promise<Readonly<Record<string, number>> & { readonly handler: number }> {
  await using desk = await startDesk(`${root}/${driver}`, { program, driver, env });
  const { target, head } = await desk.hello("hello");
  const ways: Record<string, () => Promise<number>> = {
    handler: async () => {
      await desk.daemon.client.appStop("hello");
      await delay(ASLEEP_MS);
      const from = performance.now();
      if (await askOnce(target, head("/api/hello")) !== 200) throw new Error("the app did not answer");
      return performance.now() - from;
    },
    ...Object.fromEntries(
      Object.entries(engines).map(([name, engine]) => [name, async () => {
        await delay(ASLEEP_MS);
        return await engine.wake();
      }]),
    ),
  };
  await interleaved(ways, { rounds: 1, limitMs: 0 });
  const all = await interleaved(ways, { rounds, limitMs: 60_000 });
  const kept = quieter(all);
  say(`wakes under ${driver}: ${kept.length} of ${all.length} rounds kept`);
  const medians = Object.keys(ways).map((way) =>
    [way, median(kept.map(({ results }) => results[way]!))] as const
  );
  return Object.fromEntries(medians) as Record<string, number> & { handler: number };
}

function figure(row: RowName, handler: number, bare: number, why: string): Figure {
  const ratio = handler / bare;
  return measured(row, Math.round(handler), ratio <= MOST_RATIO, {
    peer: `the bare engine, ${Math.round(bare)} ms`,
    ratio: rounded(ratio),
    why,
  });
}
