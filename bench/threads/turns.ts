import { interleaved, quieter } from "../measure/rounds.ts";
import { median, rounded } from "../measure/stats.ts";
import { bareFloor } from "./bare.ts";
import { bestPeer, type PeerFigure, peerFigures } from "./peers.ts";
import { type Figure, measured, unmeasured } from "./rows.ts";
import type { Section } from "./section.ts";
import { openWorld } from "./world.ts";

const THREADS = 100;
const LIMIT_MS = 60_000;
const BODY = "x".repeat(1000);
const MOST_RATIO = 2, LEAST_RATE = 0.4, MOST_OF_PEER = 1 / 3, LEAST_OVER_PEER = 10;

/** One turn after the other, and turns of many threads at once. */
export const turns: Section = {
  rows: ["turn-p50", "turn-p50-peer", "turns-100", "turns-100-peer"],
  async measure(context) {
    const { root, quick } = context;
    await using world = await openWorld(`${root}/turns`);
    using bare = bareFloor(`${root}/turns/bare.db`, BODY);
    const threads: string[] = [];
    for (let n = 0; n < THREADS; n++) threads.push(await world.create());
    await Promise.all(threads.map((thread) => world.turn(thread, BODY)));
    const rounds = quick ? 3 : 12, ms = quick ? 100 : 500;
    const writers = threads.map((_, index) => index);
    const single = quieter(
      await interleaved({
        bare: () => p50(ms, () => bare.turns([0])),
        handler: () => p50(ms, () => world.turn(threads[0]!, BODY)),
      }, { rounds, limitMs: LIMIT_MS }),
    );
    const many = quieter(
      await interleaved({
        bare: () => rate(ms, THREADS, () => bare.turns(writers)),
        handler: () => freeRate(ms, threads, (thread) => world.turn(thread, BODY)),
      }, { rounds, limitMs: LIMIT_MS }),
    );
    const peers = context.peers && context.wanted("turn-p50-peer", "turns-100-peer")
      ? await peerFigures(context)
      : { figures: [], missing: ["no peers were asked for"] };
    const p50s = single.map(({ results }) => results), rates = many.map(({ results }) => results);
    const turn = median(p50s.map(({ handler }) => handler)),
      perSecond = median(rates.map(({ handler }) => handler));
    const ratio = median(p50s.map(({ handler, bare }) => handler / bare));
    const rateRatio = median(rates.map(({ handler, bare }) => handler / bare));
    return [
      measured("turn-p50", rounded(turn), ratio <= MOST_RATIO, {
        peer: "two bare transactions",
        ratio: rounded(ratio),
      }),
      peerFigure("turn-p50-peer", turn, peers, (best) => turn / best.p50, (ratio) => ratio <= MOST_OF_PEER),
      measured("turns-100", Math.round(perSecond), rateRatio >= LEAST_RATE, {
        peer: "bare group commit of 100",
        ratio: rounded(rateRatio),
      }),
      peerFigure(
        "turns-100-peer",
        perSecond,
        peers,
        (best) => perSecond / best.perSecond,
        (ratio) => ratio >= LEAST_OVER_PEER,
      ),
    ];
  },
};

function peerFigure(
  row: "turn-p50-peer" | "turns-100-peer",
  value: number,
  { figures, missing }: Awaited<ReturnType<typeof peerFigures>>,
  ratioTo: (best: PeerFigure) => number,
  holds: (ratio: number) => boolean,
): Figure {
  const best = bestPeer(figures, row === "turn-p50-peer" ? ({ p50 }) => -p50 : ({ perSecond }) => perSecond);
  if (!best) return unmeasured(row, missing.join("; "));
  const ratio = ratioTo(best);
  const all = figures.map(({ name, p50, perSecond }) =>
    `${name} ${rounded(p50)} ms, ${Math.round(perSecond)}/s`
  );
  const why = [...all, ...missing].join("; ");
  return measured(row, rounded(value), holds(ratio), { peer: best.name, ratio: rounded(ratio), why });
}

/** The middle time of one after the other, in milliseconds. */
async function p50(ms: number, one: () => unknown): Promise<number> {
  const times: number[] = [];
  for (const began = performance.now(); performance.now() - began < ms;) {
    const at = performance.now();
    await one();
    times.push(performance.now() - at);
  }
  return median(times);
}

/** Turns a second, all in step. */
function rate(ms: number, each: number, all: () => void): Promise<number> {
  const began = performance.now();
  let count = 0;
  for (; performance.now() - began < ms; count += each) all();
  return Promise.resolve(count / (performance.now() - began) * 1000);
}

/** Turns a second, each thread going on by itself. */
async function freeRate(
  ms: number,
  threads: readonly string[],
  one: (thread: string) => Promise<void>,
): Promise<number> {
  const began = performance.now();
  let count = 0;
  await Promise.all(threads.map(async (thread) => {
    for (; performance.now() - began < ms; count++) await one(thread);
  }));
  return count / (performance.now() - began) * 1000;
}
