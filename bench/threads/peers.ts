import { findProgram, run } from "../../src/platform/mod.ts";
import { postgres } from "./postgres.ts";
import type { Context } from "./section.ts";

/** What another system does with the same turn. */
export interface PeerFigure {
  readonly name: string;
  /** Milliseconds, one after the other. */
  readonly p50: number;
  readonly perSecond: number;
}

/** What was measured, and what is not on this machine. */
export interface PeerFigures {
  readonly figures: readonly PeerFigure[];
  readonly missing: readonly string[];
}

const HERE = new URL("./peers", import.meta.url).pathname;
const HOME = Deno.env.get("TURN_PEERS_HOME") ??
  `${Deno.env.get("HOME")}/.cache/handler-bench-peers/turns`;

/** Runs the peers that are there: LangGraph with SQLite at FULL, DBOS with PostgreSQL. */
export async function peerFigures({ root, quick }: Context): Promise<PeerFigures> {
  const node = `${HOME}/node_modules/.bin/node`;
  if (!await findProgram(node)) {
    return { figures: [], missing: ["the peers are not installed: bash bench/threads/peers/install.sh"] };
  }
  for (const name of ["measure", "langgraph", "dbos"]) {
    await Deno.copyFile(`${HERE}/${name}.mjs`, `${HOME}/${name}.mjs`);
  }
  const env = { BENCH_MS: quick ? "500" : "4000", BENCH_FLIGHT: "100" };
  const figures: PeerFigure[] = [], missing: string[] = [];
  const measure = async (name: string, node: string, more: Readonly<Record<string, string>>) => {
    const { code, stdout, stderr } = await run([node, "--no-deprecation", `${HOME}/${name}.mjs`], {
      env: { ...env, ...more },
      inheritEnv: true,
    });
    const line = stdout.split("\n").find((line) => line.startsWith("{"));
    if (code === 0 && line) figures.push(JSON.parse(line));
    else missing.push(`${name}: ${stderr.trim().split("\n").at(-1) ?? code}`);
  };
  // its native part is built for the system's Node.js
  await measure("langgraph", "node", { BENCH_DB: `${root}/langgraph.db` });
  await using database = await postgres();
  if (database.url) await measure("dbos", node, { BENCH_PG: database.url });
  else missing.push(`dbos: ${database.why}`);
  return { figures, missing };
}

/** The peer with the most of something. */
export function bestPeer(
  figures: readonly PeerFigure[],
  of: (figure: PeerFigure) => number,
): PeerFigure | undefined {
  return figures.toSorted((one, other) => of(other) - of(one))[0];
}
