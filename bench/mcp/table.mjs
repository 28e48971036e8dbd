// results.json as a Markdown table, quickest first: node table.mjs results.json
import process from "node:process";
import { readFileSync } from "node:fs";

const report = JSON.parse(readFileSync(process.argv[2] ?? "results.json", "utf8"));
const ORDER = { base: -2e9, floor: -1e9 };
const rank = ({ group, cells }) => ORDER[group] ?? (cells["typed-1"] ?? cells["1k-1"])?.added_p50_us ?? 1e12;

const COLUMNS = [
  ["peer", (_, name) => name],
  ["agent → backend", (peer) => `${peer.agent_side} → ${peer.backend_side}`],
  ...["1k-1", "typed-1"].flatMap((cell) => [
    [`${cell} p50 µs`, ({ cells }) => cells[cell]?.p50_us],
    ["p99", ({ cells }) => cells[cell]?.p99_us],
    ["added p50", ({ cells }) => cells[cell]?.added_p50_us],
    ["× direct", ({ cells }) => cells[cell]?.ratio_p50],
    ["CPU µs/call", ({ cells }) => cells[cell]?.peer_cpu_us_per_call],
  ]),
  ...["1k-32", "typed-32", "1m-32"].map((
    cell,
  ) => [`${cell} calls/s`, ({ cells }) => cells[cell]?.calls_per_s]),
  ["1m-1 p50 µs", ({ cells }) => cells["1m-1"]?.p50_us],
  [
    "RSS MiB idle / after / after 1 MB",
    (peer) => [peer.ram_idle, peer.ram_after, peer.ram_after_large].map(({ rss_mib }) => rss_mib).join(" / "),
  ],
];

const rows = Object.entries(report.peers).sort(([, a], [, b]) => rank(a) - rank(b));
const shown = COLUMNS.filter(([, read]) => rows.some(([name, peer]) => read(peer, name) !== undefined));
const line = (cells) => console.log(`| ${cells.join(" | ")} |`);
console.log(
  `${report.when}, ${report.cpu}, ${report.cores} cores, node ${report.node}, ${report.rounds} rounds\n`,
);
line(shown.map(([title]) => title));
line(shown.map((_, at) => at < 2 ? "---" : "--:"));
for (const [name, peer] of rows) line(shown.map(([, read]) => read(peer, name) ?? "–"));
for (const [name, why] of Object.entries(report.failed)) console.log(`\nnot run: ${name}: ${why}`);
