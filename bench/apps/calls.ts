import { interleaved, quieter } from "../measure/rounds.ts";
import { median, quantile, rounded } from "../measure/stats.ts";
import { quickDriver } from "../router/daemon.ts";
import { type AppDesk, startDesk, type Visitor } from "./desk.ts";
import { askOnce, headOf, Line } from "./line.ts";
import { type Figure, measured } from "./rows.ts";
import type { Context, Section } from "./section.ts";

const PAGE_MS = 5, P50_MS = 0.3, P95_MS = 1;

/** The page while the backend sleeps, and what handlerd adds to a call of one that runs. */
export const calls: Section = {
  rows: ["page-asleep", "warm-p50", "warm-p95"],
  async measure(context) {
    const { root, program } = context;
    await using desk = await startDesk(`${root}/calls`, { program, driver: await quickDriver() });
    const visitor = await desk.hello("hello");
    return [await pageAsleep(desk, visitor, context), ...await warm(desk, visitor, context)];
  },
};

async function pageAsleep(
  { daemon }: AppDesk,
  { target, head }: Visitor,
  { quick }: Context,
): Promise<Figure> {
  await daemon.client.appStop("hello");
  const times: number[] = [];
  for (let at = 0; at < (quick ? 20 : 200); at++) {
    const from = performance.now();
    await askOnce(target, head("/"));
    times.push(performance.now() - from);
  }
  if ((await daemon.client.app("hello")).state !== "stopped") throw new Error("the page woke the backend");
  const value = rounded(median(times.slice(5)));
  return measured("page-asleep", value, value <= PAGE_MS, { why: "each over a connection of its own" });
}

async function warm(
  desk: AppDesk,
  { target, head }: Visitor,
  { quick, say }: Context,
): Promise<readonly Figure[]> {
  await askOnce(target, head("/api/hello"));
  const [socket] = await desk.sockets();
  if (!socket) throw new Error("no backend runs");
  using through = new Line(target);
  using direct = new Line({ path: socket });
  const batch = (line: Line, text: string) => async () => {
    const times: number[] = [];
    for (let at = 0; at < (quick ? 50 : 400); at++) {
      const from = performance.now();
      await line.ask(text);
      times.push(performance.now() - from);
    }
    return times;
  };
  const ways = {
    through: batch(through, head("/api/hello")),
    direct: batch(direct, headOf("/api/hello", { Host: "hello.localhost" })),
  };
  await interleaved(ways, { rounds: 1, limitMs: 0 });
  const all = await interleaved(ways, { rounds: quick ? 3 : 20, limitMs: 40_000 });
  const kept = quieter(all);
  say(`warm calls: ${kept.length} of ${all.length} rounds kept`);
  const added = (q: number) =>
    rounded(median(kept.map(({ results }) => quantile(results.through, q) - quantile(results.direct, q))));
  const alone = (q: number) => rounded(median(kept.map(({ results }) => quantile(results.direct, q))));
  const beside = (q: number) => ({ peer: `a direct call of its socket, ${alone(q)} ms` });
  return [
    measured("warm-p50", added(0.5), added(0.5) <= P50_MS, beside(0.5)),
    measured("warm-p95", added(0.95), added(0.95) <= P95_MS, beside(0.95)),
  ];
}
