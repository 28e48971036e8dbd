import { launch } from "../measure/program.ts";
import { interleaved, quieter, type Round } from "../measure/rounds.ts";
import { median, quantile, rounded } from "../measure/stats.ts";
import type { Caller } from "./caller.ts";
import { type BenchDaemon, callerAt, startHandlerd, trustAll } from "./daemon.ts";
import { layHome } from "./home.ts";
import { type Figure, measured, type RowName, unmeasured } from "./rows.ts";
import type { Context, Section } from "./section.ts";

/** The same connector reached three ways: its own socket, through the byte-copying hop, through the router. */
const WAYS = ["direct", "hop", "router"] as const;
type Way = typeof WAYS[number];
type Callers = Readonly<Record<Way, Caller>>;

const HOP = "a Deno process that copies bytes";
const KILOBYTE = JSON.stringify({ text: "x".repeat(1024) });

/** Rows of one call and of many: the router beside the hop. */
export const ways: Section = {
  rows: ["added-1k-p50", "added-1k-p99", "calls-32", "result-3mb"],
  async measure(context) {
    const root = `${context.root}/ways`;
    const { folders } = await layHome(root, { wrapped: undefined });
    await using daemon = await startHandlerd(folders, context);
    await trustAll(daemon.client, ["echo", "bulk"]);
    const figures: Figure[] = [];
    if (context.wanted("added-1k-p50", "added-1k-p99", "calls-32")) {
      await using echo = await openWays(daemon, "echo", `${root}/echo.sock`);
      if (context.wanted("added-1k-p50", "added-1k-p99")) figures.push(...await addedTime(echo, context));
      if (context.wanted("calls-32")) figures.push(await manyAtOnce(echo, context));
    }
    if (context.wanted("result-3mb")) {
      await using bulk = await openWays(daemon, "bulk", `${root}/bulk.sock`);
      figures.push(await largeResult(bulk, context));
    }
    return figures;
  },
};

interface Opened extends AsyncDisposable {
  readonly callers: Callers;
}

/** Starts the connector by a first call, finds its socket, and puts the hop before it. */
async function openWays(daemon: BenchDaemon, service: "echo" | "bulk", listen: string): Promise<Opened> {
  const before = await daemon.connectorSockets();
  const router = await daemon.connect("desk", service);
  await (service === "echo" ? router.call("echo_typed", KILOBYTE) : router.call("bulk_pages", '{"pages":1}'));
  const socket = (await daemon.connectorSockets()).find((path) => !before.includes(path));
  if (!socket) throw new Error(`the connector of ${service} has no socket`);
  const argv = [
    Deno.execPath(),
    "run",
    "-A",
    "--no-config",
    new URL("hop.ts", import.meta.url).pathname,
    listen,
    socket,
  ];
  const hop = await launch(argv, { stream: "stdout", line: /ready/, limitMs: 20_000 }, { inheritEnv: true });
  return {
    callers: { direct: await callerAt(socket), hop: await callerAt(listen), router },
    [Symbol.asyncDispose]: () => hop[Symbol.asyncDispose](),
  };
}

/** A batch for every way, made from what one way does. */
function batches<Result>(
  callers: Callers,
  batch: (caller: Caller) => Promise<Result>,
): Readonly<Record<Way, () => Promise<Result>>> {
  return {
    direct: () => batch(callers.direct),
    hop: () => batch(callers.hop),
    router: () => batch(callers.router),
  };
}

async function addedTime({ callers }: Opened, { quick, say }: Context): Promise<readonly Figure[]> {
  const work = batches(callers, (caller) => latencies(caller, quick ? 100 : 500));
  await interleaved(work, { rounds: quick ? 3 : 8, limitMs: 5_000 });
  const all = await interleaved(work, { rounds: quick ? 4 : 90, limitMs: 40_000 });
  const rounds = quieter(all);
  say(`one call at a time: ${rounds.length} of ${all.length} rounds kept`);
  return [added(rounds, "added-1k-p50", 0.5, 1.5), added(rounds, "added-1k-p99", 0.99, 2)];
}

/** Microseconds of calls one after the other. */
async function latencies(caller: Caller, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let call = 0; call < count; call++) {
    const from = performance.now();
    await caller.call("echo_typed", KILOBYTE);
    times.push((performance.now() - from) * 1000);
  }
  return times;
}

/** A hop that adds less than this share of the direct call has drowned in noise. */
const DROWNED = 0.1;

/** In each round the way's quantile less the direct one's; of the rounds the median. */
function added(
  rounds: readonly Round<Way, readonly number[]>[],
  row: RowName,
  q: number,
  most: number,
): Figure {
  const over = (way: Way) =>
    median(rounds.map(({ results }) => quantile(results[way], q) - quantile(results.direct, q)));
  const whole = (way: Way) => Math.round(median(rounds.map(({ results }) => quantile(results[way], q))));
  const router = over("router"), hop = over("hop");
  const why = `direct ${whole("direct")} µs, hop ${whole("hop")}, router ${whole("router")}; the hop adds ${
    Math.round(hop)
  } µs`;
  if (hop < DROWNED * whole("direct")) return unmeasured(row, `too noisy: ${why}`);
  const ratio = rounded(router / hop);
  return measured(row, rounded(router), ratio <= most, { peer: HOP, ratio, why });
}

async function manyAtOnce({ callers }: Opened, { quick, say }: Context): Promise<Figure> {
  const work = batches(callers, (caller) => callsASecond(caller, quick ? 320 : 3200));
  await interleaved(work, { rounds: 2, limitMs: 5_000 });
  const all = await interleaved(work, { rounds: quick ? 3 : 24, limitMs: 40_000 });
  const rounds = quieter(all);
  say(`32 in flight: ${rounds.length} of ${all.length} rounds kept`);
  const rate = (way: Way) => Math.round(median(rounds.map(({ results }) => results[way])));
  const ratio = rounded(median(rounds.map(({ results }) => results.router / results.hop)));
  return measured("calls-32", rate("router"), ratio >= 0.8, {
    peer: HOP,
    ratio,
    why: `direct ${rate("direct")} calls/s, hop ${rate("hop")}`,
  });
}

async function callsASecond(caller: Caller, count: number): Promise<number> {
  let left = count;
  const from = performance.now();
  await Promise.all(Array.from({ length: 32 }, async () => {
    while (left-- > 0) await caller.call("echo_typed", KILOBYTE);
  }));
  return count / ((performance.now() - from) / 1000);
}

/** A page of the bench's connector has about 4 kB. */
const PAGES = 750;

async function largeResult({ callers }: Opened, { quick, say }: Context): Promise<Figure> {
  const answer = JSON.parse(
    new TextDecoder().decode(await callers.router.call("bulk_pages", `{"pages":${PAGES}}`)),
  );
  const structured = JSON.stringify(answer.result.structuredContent);
  const work = {
    ...batches(callers, (caller) => timed(() => caller.call("bulk_pages", `{"pages":${PAGES}}`))),
    parse: () => timed(() => Promise.resolve(JSON.parse(structured))),
  };
  await interleaved(work, { rounds: 2, limitMs: 5_000 });
  const all = await interleaved(work, { rounds: quick ? 3 : 30, limitMs: 30_000 });
  const rounds = quieter(all);
  say(`3 MB: ${rounds.length} of ${all.length} rounds kept`);
  const value = median(rounds.map(({ results }) => results.router - results.direct));
  const parse = median(rounds.map(({ results }) => results.parse));
  const hop = median(rounds.map(({ results }) => results.hop - results.direct));
  const ratio = rounded(value / parse);
  return measured("result-3mb", rounded(value), ratio <= 2, {
    peer: "JSON.parse of the result",
    ratio,
    why: `${(structured.length / 1e6).toFixed(1)} MB parse in ${rounded(parse)} ms, the hop adds ${
      rounded(hop)
    } ms`,
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
