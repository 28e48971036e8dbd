import { findProgram, readTextIfThere, run, statIfThere } from "../../src/platform/mod.ts";
import { ROOT } from "../../tools/repository.ts";
import { launch } from "../measure/program.ts";
import { rounded } from "../measure/stats.ts";
import { type BenchDaemon, type HandlerProgram, serviceCommand, startHandlerd, trustAll } from "./daemon.ts";
import { layHome } from "./home.ts";
import { type PeersReport, readReport } from "./peers_report.ts";
import { type Figure, measured, unmeasured } from "./rows.ts";
import type { Context, Section } from "./section.ts";

const WAY = "agent-way-p50", ADDED = "agent-way-added", WRAPPED = "agent-way-wrapped-added";
const MANY = "agent-calls-32", AHEAD = "agent-calls-32-ahead";
const FLOOR = "floor", PRODUCT = "handlerd", WRAPPING = "handlerd-wrapped";
const FLOOR_WORDS = "a shim and a hop in Deno that copy bytes";

/** An agent's whole way (stdio, `handler-service`, router, connector) beside gateways, measured by `bench/mcp`. */
export const agentWay: Section = {
  rows: [WAY, ADDED, WRAPPED, MANY, AHEAD],
  async measure(context) {
    const root = `${context.root}/agent`;
    const wrapped = context.peers === "none" ? undefined : await echoServer(root);
    const { folders } = await layHome(root, { wrapped });
    await using daemon = await startHandlerd(folders, context);
    await trustAll(daemon.client, ["echo", "bulk", ...(wrapped === undefined ? [] : ["wrapped"])]);
    const socket = await connectorSocket(daemon);
    await using _hop = await launch(
      [Deno.execPath(), "run", "-A", "--no-config", place("hop.ts"), `${root}/hop.sock`, socket],
      { stream: "stdout", line: /ready/, limitMs: 20_000 },
      { inheritEnv: true },
    );
    const own = await ownPeers(daemon, context.program, socket, `${root}/hop.sock`, wrapped !== undefined);
    const report = await runPeers(root, own, context);
    return [
      ...besideFloor(report),
      ...context.peers === "none" ? withoutGateways() : [...besideGateways(report), wrappedBeside(report)],
    ];
  },
};

function place(name: string): string {
  return new URL(name, import.meta.url).pathname;
}

async function connectorSocket(daemon: BenchDaemon): Promise<string> {
  const desk = await daemon.connect("desk", "echo");
  await desk.call("echo_typed", '{"text":"hello"}');
  const [socket] = await daemon.connectorSockets();
  if (!socket) throw new Error("the echo's connector has no socket");
  return socket;
}

const PEERS_HOME = Deno.env.get("PEERS_HOME") ?? `${Deno.env.get("HOME")}/.cache/handler-bench-peers`;

/** The gateways' own backend as one file that a sandbox can hold; undefined where the peers are not installed. */
async function echoServer(root: string): Promise<string | undefined> {
  const cwd = `${PEERS_HOME}/npm`;
  if (!await statIfThere(`${cwd}/backends/echo-sdk1.mjs`)) return undefined;
  const output = `${root}-server.mjs`;
  const argv = ["bundle", "--quiet", "--platform", "deno", "--node-modules-dir=manual", "--no-config"];
  const { code, stderr } = await run([Deno.execPath(), ...argv, "-o", output, "backends/echo-sdk1.mjs"], {
    cwd,
    inheritEnv: true,
  });
  if (code !== 0) throw new Error(`the echo server could not be bundled: ${stderr}`);
  return await readTextIfThere(output);
}

/** Handler's entries beside the gateways, as `bench/mcp/peers.mjs` describes an entry. */
async function ownPeers(
  daemon: BenchDaemon,
  program: HandlerProgram,
  socket: string,
  hop: string,
  wrapped: boolean,
): Promise<readonly object[]> {
  const block = { block: "own", repeat: 3 };
  const stdio = { kind: "stdio", to: "socket", base: "direct-connector", ...block };
  const service = await serviceCommand(program);
  const agent = async (name: string) => ({
    ...stdio,
    command: [...service, "echo"],
    env: { HANDLER_SERVICES: await daemon.services(name) },
    roots: [daemon.pid],
  });
  return [
    {
      name: "direct-connector",
      group: "base",
      kind: "unix",
      to: "-",
      path: socket,
      base: "direct-connector",
    },
    {
      name: FLOOR,
      group: "floor",
      ...stdio,
      command: [Deno.execPath(), "run", "-A", "--no-config", place("shim.ts"), hop],
      does: "bytes copied, 2 processes",
    },
    { name: PRODUCT, group: "product", ...await agent("desk"), does: "checks, confines, records" },
    ...(wrapped
      ? [{ name: WRAPPING, group: "product", ...await agent("wrapped"), base: "direct-stdio", to: "stdio" }]
      : []),
  ];
}

const HEAVY = ["litellm", "contextforge"];
const OTHER_BASES = [
  "direct-stdio-sdk2",
  "floor-1hop-node",
  "floor-1hop-deno",
  "floor-1hop-deno-native",
  "floor-socat-deno",
];

async function runPeers(
  root: string,
  own: readonly object[],
  { peers, quick, say }: Context,
): Promise<PeersReport> {
  const added = `${root}/peers.json`, out = `${root}/results.json`;
  await Deno.writeTextFile(added, JSON.stringify(own));
  const choice = peers === "none"
    ? ["--own"]
    : ["--skip", [...OTHER_BASES, ...(peers === "all" ? [] : HEAVY)].join(",")];
  const length = quick ? ["--quick", "--rounds", "2"] : ["--rounds", "12", "--minutes", "3"];
  const node = await findProgram("node");
  const runner = node ? [node] : [Deno.execPath(), "run", "-A", "--no-config"];
  say(`the agent's whole way: ${quick ? "" : "up to six minutes, "}log in ${root}`);
  const { code, stderr } = await run(
    [
      ...runner,
      `${ROOT}/bench/mcp/bench.mjs`,
      "--cells",
      "typed-1,typed-32",
      "--added",
      added,
      "--out",
      out,
      ...length,
      ...choice,
    ],
    { inheritEnv: true, env: { PEERS_HOME, PEERS_TMP: root }, timeoutMs: 600_000 },
  );
  if (code !== 0) throw new Error(`bench/mcp ended with ${code}: ${stderr.slice(-2000)}`);
  return readReport(out);
}

/** The whole way beside the floor's, one call at a time and many. */
function besideFloor(report: PeersReport): readonly Figure[] {
  const one = report.entry(PRODUCT, "typed-1"), floor = report.entry(FLOOR, "typed-1");
  const ratio = rounded(report.wholeRatio(PRODUCT, FLOOR, "typed-1"));
  const why =
    `adds ${one.added_p50_us} µs to the direct call of ${one.base_p50_us} µs, the floor ${floor.added_p50_us} µs`;
  const many = report.entry(PRODUCT, "typed-32"), floorMany = report.entry(FLOOR, "typed-32");
  const manyRatio = rounded(many.calls_per_s / floorMany.calls_per_s);
  return [
    measured(WAY, one.p50_us, ratio <= 1.25, { peer: FLOOR_WORDS, ratio, why }),
    measured(MANY, many.calls_per_s, manyRatio >= 0.8, {
      peer: FLOOR_WORDS,
      ratio: manyRatio,
      why: `the floor ${floorMany.calls_per_s} calls/s`,
    }),
  ];
}

/** What every gateway adds to the direct call of its backend, beside what handlerd adds to its connector's. */
function besideGateways(report: PeersReport): readonly Figure[] {
  const one = report.entry(PRODUCT, "typed-1"), many = report.entry(PRODUCT, "typed-32");
  return [
    ...report.gateways().flatMap((peer): readonly Figure[] => {
      const its = report.entry(peer, "typed-1"), itsMany = report.entry(peer, "typed-32");
      const ratio = rounded(one.added_p50_us / its.added_p50_us);
      const manyRatio = rounded(many.calls_per_s / itsMany.calls_per_s);
      return [
        measured(ADDED, one.added_p50_us, ratio < 1, {
          peer,
          ratio,
          why: `adds ${its.added_p50_us} µs to ${its.base_p50_us} µs, ${its.p50_us} µs in all`,
        }),
        measured(AHEAD, many.calls_per_s, manyRatio > 1, {
          peer,
          ratio: manyRatio,
          why: `${itsMany.calls_per_s} calls/s`,
        }),
      ];
    }),
    ...report.absent().map(({ peer, why }) => unmeasured(ADDED, why, peer)),
  ];
}

/** The gateways' own backend behind handlerd, wrapped: one process more than the gateways have. */
function wrappedBeside(report: PeersReport): Figure {
  const [quickest] = report.gateways();
  if (!report.has(WRAPPING) || !quickest) {
    return unmeasured(WRAPPED, "the peers are not installed: bash bench/mcp/install.sh");
  }
  const own = report.entry(WRAPPING, "typed-1"), its = report.entry(quickest, "typed-1");
  const ratio = rounded(own.added_p50_us / its.added_p50_us);
  return measured(WRAPPED, own.added_p50_us, ratio < 1, {
    peer: quickest,
    ratio,
    why: `the gateways' own server, wrapped as a connector; ${quickest} adds ${its.added_p50_us} µs`,
  });
}

function withoutGateways(): readonly Figure[] {
  const why = "run with --peers none";
  return [unmeasured(ADDED, why), unmeasured(WRAPPED, why), unmeasured(AHEAD, why)];
}
