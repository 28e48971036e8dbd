// Everything that was measured as one record.
import os from "node:os";
import process from "node:process";
import { median, quantile, quiet, us } from "./stats.mjs";

export function report(runs, failed, rounds) {
  return {
    when: new Date().toISOString(),
    cpu: os.cpus()[0].model,
    cores: os.cpus().length,
    node: process.version,
    rounds,
    failed,
    peers: Object.fromEntries(runs.map((run) => [run.peer.name, entry(run)])),
  };
}

function entry({ peer, info, schema, startMs, calls, ramIdle, ramAfter, ramAfterLarge, cells }) {
  const ofCells = (read) =>
    Object.fromEntries(Object.entries(cells).map(([cell, batches]) => [cell, read(batches)]));
  return {
    group: peer.group,
    base: peer.base,
    agent_side: peer.kind,
    backend_side: peer.to,
    does: peer.does,
    server: info,
    schema,
    start_ms: startMs,
    calls_before_ram: calls,
    ram_idle: ramIdle,
    ram_after: ramAfter,
    ram_after_large: ramAfterLarge,
    cells: ofCells(digest),
    round_p50_us: ofCells((batches) => batches.map((b) => b?.samples.length ? us(median(b.samples)) : null)),
    round_foreign: ofCells((batches) => batches.map((b) => b ? +b.foreign.toFixed(2) : null)),
  };
}

/** Pools the quiet rounds. */
function digest(batches) {
  const used = batches.filter((b) => b && b.samples.length);
  if (!used.length) return { n: 0, errors: batches.flatMap((b) => b?.errors ?? []).slice(0, 3) };
  const kept = quiet(used), paired = kept.filter((b) => b.base);
  const all = kept.flatMap((b) => b.samples).sort((a, b) => a - b);
  const sum = (list, read) => list.reduce((total, b) => total + read(b), 0);
  const errors = used.flatMap((b) => b.errors);
  return {
    n: all.length,
    rounds: kept.length,
    of: used.length,
    foreign: +median(kept.map((b) => b.foreign)).toFixed(2),
    base_p50_us: us(median(paired.map((b) => b.base))),
    added_p50_us: us(median(paired.map((b) => median(b.samples) - b.base))),
    ratio_p50: +median(paired.map((b) => median(b.samples) / b.base)).toFixed(2),
    p50_us: us(quantile(all, 0.5)),
    p90_us: us(quantile(all, 0.9)),
    p99_us: us(quantile(all, 0.99)),
    min_us: us(all[0]),
    best_round_p50_us: us(Math.min(...used.map((b) => median(b.samples)))),
    calls_per_s: Math.round(1000 * all.length / sum(kept, (b) => b.wall)),
    peer_cpu_us_per_call: Math.round(1000 * sum(used, (b) => b.peerCpu) / sum(used, (b) => b.samples.length)),
    errors: errors.length,
    error: errors[0],
  };
}
