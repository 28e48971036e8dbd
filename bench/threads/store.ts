/**
 * The store of threads beside bare `node:sqlite`, both at `synchronous = FULL`: turns a second with 1, 32 and 100
 * writers, each on a thread of its own. A turn of the store is what the engine makes of one (`turn.ts`). `floor` is the
 * least that a durable turn can be: one row in (a transaction), claimed and answered (a second one). `same` is the
 * store's own writes as bare statements on bare tables, in as many transactions.
 *
 *     deno run -A bench/threads/store.ts [--seconds 2] [--rounds 5] [--folder /tmp]
 * @module
 */
import { parseArgs } from "node:util";
import { newId, silentLogger, systemClock } from "../../src/base/mod.ts";
import { openThreadStore } from "../../src/store/mod.ts";
import { bareFloor, bareSame } from "./bare.ts";
import { storeTurn, threadFor } from "./turn.ts";

const BODY = "x".repeat(1000);
const WRITERS = [1, 32, 100];

/** Turns made and how long that took, in milliseconds. */
interface Figure {
  readonly turns: number;
  readonly ms: number;
  readonly p50: number;
}

/** Makes turns of all writers at once, again and again, for so long. */
async function measure(ms: number, writers: number, all: (writer: number[]) => unknown): Promise<Figure> {
  const each = Array.from({ length: writers }, (_, i) => i);
  for (let i = 0; i < 5; i++) await all(each);
  const times: number[] = [];
  const started = performance.now();
  while (performance.now() - started < ms) {
    const at = performance.now();
    await all(each);
    times.push(performance.now() - at);
  }
  const took = performance.now() - started;
  times.sort((a, b) => a - b);
  return { turns: times.length * writers, ms: took, p50: times[times.length >> 1]! };
}

/** As many writers, each going on by itself. */
async function measureFree(
  ms: number,
  writers: number,
  one: (writer: number) => Promise<void>,
): Promise<Figure> {
  const times: number[] = [];
  const started = performance.now();
  await Promise.all(Array.from({ length: writers }, async (_, writer) => {
    while (performance.now() - started < ms) {
      const at = performance.now();
      await one(writer);
      times.push(performance.now() - at);
    }
  }));
  const took = performance.now() - started;
  times.sort((a, b) => a - b);
  return { turns: times.length, ms: took, p50: times[times.length >> 1]! };
}

async function round(folder: string, ms: number, writers: number): Promise<readonly Figure[]> {
  const path = (name: string) => `${folder}/${name}.db`;
  using floor = bareFloor(path("floor"), BODY);
  const first = await measure(ms, writers, (each) => floor.turns(each));
  using same = bareSame(path("same"), BODY);
  const second = await measure(ms, writers, (each) => same.turns(each));
  using store = await openThreadStore({ path: path("store"), clock: systemClock, log: silentLogger });
  const threads = Array.from({ length: writers }, () => threadFor(newId()));
  await store.write("power", (tx) => threads.forEach((thread) => tx.insertThread(thread)));
  const third = await measureFree(ms, writers, (writer) => storeTurn(store, threads[writer]!, BODY));
  return [first, second, third];
}

const perSecond = ({ turns, ms }: Figure) => turns / ms * 1000;
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

async function main(): Promise<void> {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      seconds: { type: "string", default: "2" },
      rounds: { type: "string", default: "5" },
      folder: { type: "string", default: "/tmp" },
    },
  });
  console.log("writers  floor/s  same/s  store/s  store:floor  store:same  p50 store ms  p50 floor ms");
  for (const writers of WRITERS) {
    const rounds: (readonly Figure[])[] = [];
    for (let i = 0; i < Number(values.rounds); i++) {
      const folder = await Deno.makeTempDir({ dir: values.folder, prefix: "threads-bench-" });
      rounds.push(await round(folder, Number(values.seconds) * 1000 / 3, writers));
      await Deno.remove(folder, { recursive: true });
    }
    const of = (way: number) => median(rounds.map((figures) => perSecond(figures[way]!)));
    const ratio = (way: number) =>
      median(rounds.map((figures) => perSecond(figures[2]!) / perSecond(figures[way]!)));
    const p50 = (way: number) => median(rounds.map((figures) => figures[way]!.p50)).toFixed(3);
    const cells = [writers, Math.round(of(0)), Math.round(of(1)), Math.round(of(2)), ratio(0).toFixed(2)];
    console.log(
      [...cells, ratio(1).toFixed(2), p50(2), p50(0)].map((cell) => String(cell).padEnd(9)).join(" "),
    );
  }
}

if (import.meta.main) await main();
