/**
 * The benches: `deno task bench [NAME]… [--json] [--quick] [--only ROW]… [--peers none|small|all] [--program FILE] [--keep]`.
 * Without a name all of them. With `--json` one line of JSON a row, else a table; a page with plots is written to
 * `build/bench.html`, and `--keep` writes the table into the README beside this file.
 * @module
 */
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { ensureFolder, fromFileUrl, ownProgram, run } from "../src/platform/mod.ts";
import { loadWords, machineWords } from "./measure/machine.ts";
import { APPS_ROWS, benchApps } from "./apps/mod.ts";
import { pageOf } from "./page.ts";
import { type Row, table } from "./report.ts";
import { benchThreads, THREADS_ROWS } from "./threads/mod.ts";
import { benchUi, UI_ROWS } from "./ui/mod.ts";
import { benchRouter, ROUTER_ROWS, type RouterOptions } from "./router/mod.ts";

interface Bench {
  readonly rows: readonly string[];
  run(options: RouterOptions): AsyncIterable<Row>;
}

const BENCHES: Readonly<Record<string, Bench>> = {
  router: { rows: ROUTER_ROWS, run: benchRouter },
  apps: { rows: APPS_ROWS, run: benchApps },
  threads: { rows: THREADS_ROWS, run: benchThreads },
  ui: { rows: UI_ROWS, run: benchUi },
};

const PEERS = ["none", "small", "all"] as const;

interface Wanted {
  readonly names: readonly string[];
  readonly json: boolean;
  readonly keep: boolean;
  readonly options: RouterOptions;
}

function wanted(): Wanted {
  const { values, positionals } = parseArgs({
    args: Deno.args,
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      keep: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
      peers: { type: "string", default: "small" },
      program: { type: "string" },
    },
  });
  const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
  const unknown = names.find((name) => !Object.hasOwn(BENCHES, name));
  if (unknown) throw new Error(`there is no bench ${unknown}, only ${Object.keys(BENCHES).join(", ")}`);
  const peers = PEERS.find((choice) => choice === values.peers);
  if (!peers) throw new Error(`--peers is one of ${PEERS.join(", ")}, found ${values.peers}`);
  const rows = names.flatMap((name) => BENCHES[name]!.rows);
  const missing = values.only.find((row) => !rows.includes(row));
  if (missing) throw new Error(`there is no row ${missing}, only ${rows.join(", ")}`);
  const { quick, only, program } = values;
  const say = (line: string) => console.error(`  ${line}`);
  return { names, json: values.json, keep: values.keep, options: { quick, only, peers, program, say } };
}

async function main({ names, json, keep, options }: Wanted): Promise<void> {
  const rows: Row[] = [];
  for (const name of names) {
    for await (const row of BENCHES[name]!.run(options)) {
      if (json) console.log(JSON.stringify(row));
      rows.push(row);
    }
  }
  const figures = `${machineWords()}\n\n${table(rows)}`;
  if (!json) console.log(figures);
  if (keep) await keepFigures(figures);
  await writePage(rows);
}

async function writePage(rows: readonly Row[]): Promise<void> {
  const path = fromFileUrl(new URL("../build/bench.html", import.meta.url));
  await ensureFolder(dirname(path), 0o755);
  const about = `${new Date().toISOString().slice(0, 10)}, load ${loadWords()}, ${machineWords()}`;
  await Deno.writeTextFile(path, pageOf(rows, about));
  console.error(`  plots: ${path}`);
}

const HEADING = "## Last figures";

async function keepFigures(figures: string): Promise<void> {
  const path = new URL("README.md", import.meta.url);
  const [before = ""] = (await Deno.readTextFile(path)).split(HEADING);
  const day = new Date().toISOString().slice(0, 10);
  await Deno.writeTextFile(path, `${before}${HEADING}\n\n${day}, load ${loadWords()}, ${figures}\n`);
  await run([ownProgram(), "fmt", "--quiet", fromFileUrl(path)], { inheritEnv: true });
}

if (import.meta.main) {
  try {
    await main(wanted());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    Deno.exit(2);
  }
  Deno.exit(0);
}
