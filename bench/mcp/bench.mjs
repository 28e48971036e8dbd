// Peers beside the direct call, in one run: rounds interleaved over all of them, so that noise hits all alike.
//   node bench.mjs [--rounds 10] [--minutes 30] [--only a,b] [--skip a,b] [--cells 1k-1,…] [--added FILE] [--quick] [--out results.json]
//   --cells names what is measured (lib/cells.mjs); --quick a tenth of the calls, to see that all answer;
//   --added FILE holds more peers as JSON, --own leaves out all others; --minutes ends it early, never before three rounds
import { writeFileSync } from "node:fs";
import os from "node:os";
import process from "node:process";
import { parseArgs } from "node:util";
import { batch } from "./lib/batch.mjs";
import { cellsOf, PAIR } from "./lib/cells.mjs";
import { isBackend } from "./lib/places.mjs";
import { memory } from "./lib/proc.mjs";
import { report } from "./lib/report.mjs";
import { setups } from "./lib/setups.mjs";
import { start } from "./lib/start.mjs";
import { median } from "./lib/stats.mjs";
import { addedPeers, missing, peers } from "./peers.mjs";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "10" },
    minutes: { type: "string", default: "120" },
    only: { type: "string" },
    skip: { type: "string" },
    cells: { type: "string", default: "1k-1,1k-32,typed-1,1m-1,1m-32" },
    added: { type: "string" },
    own: { type: "boolean", default: false },
    out: { type: "string", default: "results.json" },
    quick: { type: "boolean", default: false },
  },
});
const end = performance.now() + Number(options.minutes) * 60_000;
const failed = {}, runs = [];
const say = (line) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

function wanted() {
  const only = options.only?.split(","), skip = options.skip?.split(",") ?? [];
  // Somewhere below the ports that the system hands out, and seldom where another run is.
  const port = 20000 + 10 * Math.floor(Math.random() * 800);
  return (options.own ? addedPeers(options.added) : peers(port, options.added)).filter(({ name }) =>
    (!only || only.includes(name)) && !skip.includes(name)
  );
}

async function startAll() {
  for (const peer of wanted()) {
    const absent = missing(peer);
    if (absent.length) {
      failed[peer.name] = `not installed: ${absent.map((path) => path.split("/").at(-1))}`;
      say(`skip ${peer.name}: ${failed[peer.name]}`);
      continue;
    }
    try {
      const run = await start(peer, peer.contextforge ? setups.contextforge(peer) : undefined);
      run.cells = {};
      runs.push(run);
      const names = JSON.stringify(run.tools);
      say(`up ${peer.name} in ${run.startMs} ms: ${JSON.stringify(run.info)} ${names} ${run.schema}`);
    } catch (error) {
      failed[peer.name] = error.message.slice(0, 400);
      say(`FAIL ${peer.name}: ${error.message}`);
    }
  }
}

const stopAll = () => Promise.all(runs.map((run) => run.stop()));
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, async () => {
    await stopAll();
    process.exit(1);
  });
}

const total = (run) => Object.values(run.cells).flat().reduce((sum, b) => sum + (b?.samples.length ?? 0), 0);
const ram = (run) =>
  run.roots.map((pid) => memory(pid, isBackend)).reduce((a, b) => ({
    rss_mib: +(a.rss_mib + b.rss_mib).toFixed(1),
    pss_mib: +(a.pss_mib + b.pss_mib).toFixed(1),
    processes: a.processes + b.processes,
  }), { rss_mib: 0, pss_mib: 0, processes: 0 });

/** A batch of a peer, right after a small one of the direct call that it is compared with. */
async function paired(run, cell) {
  const base = runs.find(({ peer }) => peer.name === run.peer.base);
  const pair = base && base !== run ? await batch(base, { ...cell, count: PAIR[cell.cell] }) : undefined;
  const result = await batch(run, cell);
  if (result && pair?.samples.length) {
    result.base = median(pair.samples);
    result.baseRate = pair.samples.length / pair.wall;
  }
  return result;
}

async function warmUp(cells) {
  for (const run of runs) {
    for (const cell of cells) {
      await batch(run, { ...cell, count: Math.max(cell.flight, cell.count / 5), ms: cell.ms / 2 });
    }
  }
}

const shuffled = (list) => [...list].sort(() => Math.random() - 0.5);

/** A random order in which the peers of a block stay together, so that they meet the same noise; a block may come again. */
function order() {
  const blockOf = ({ peer }) => peer.block ?? peer.name;
  const blocks = [...new Set(runs.map(blockOf))].map((name) => runs.filter((run) => blockOf(run) === name));
  const times = blocks.flatMap((block) => Array(block[0].peer.repeat ?? 1).fill(block));
  return shuffled(times).flatMap(shuffled);
}

async function phase(cells, count) {
  await warmUp(cells);
  for (let round = 0; round < count && (round < 3 || performance.now() < end); round++) {
    for (const cell of cells) {
      for (const run of order()) {
        if ((run.cells[cell.cell] ?? []).filter((b) => b && !b.samples.length).length >= 3) continue;
        if (run.peer.slow && cell.large && round > 1) continue;
        (run.cells[cell.cell] ??= []).push(await paired(run, cell));
      }
    }
    say(`round ${round + 1}/${count} of ${cells.map((c) => c.cell)}; load ${os.loadavg()[0].toFixed(1)}`);
  }
}

const rounds = Number(options.rounds);
const cells = cellsOf(options.cells.split(","), options.quick ? 0.1 : 1);
const small = cells.filter(({ large }) => !large), large = cells.filter(({ large }) => large);

await startAll();
for (const run of runs) run.ramIdle = ram(run);
if (small.length) await phase(small, rounds);
for (const run of runs) {
  run.calls = total(run);
  run.ramAfter = ram(run);
}
if (large.length) await phase(large, Math.max(2, Math.round(rounds * 0.75)));
for (const run of runs) run.ramAfterLarge = ram(run);
writeFileSync(options.out, JSON.stringify(report(runs, failed, rounds), null, 1));
say(`wrote ${options.out}`);
await stopAll();
process.exit(0);
