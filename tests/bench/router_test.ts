/** The router's bench runs whole in little time, and every line has the shape that its readers rely on. */
import assert from "node:assert/strict";
import type { Row } from "../../bench/report.ts";
import { ROWS } from "../../bench/router/rows.ts";
import { run } from "../../src/platform/mod.ts";
import { ROOT } from "../../tools/repository.ts";

const KEYS = ["bench", "row", "value", "unit", "goal", "holds", "peer", "ratio", "why"];

function checkRow(row: Row): void {
  assert.deepEqual(Object.keys(row).filter((key) => !KEYS.includes(key)), []);
  assert.equal(row.bench, "router");
  for (const key of ["row", "unit", "goal"] as const) assert.equal(typeof row[key], "string", key);
  assert.ok(row.value === null || Number.isFinite(row.value), `${row.row}: ${row.value}`);
  assert.ok(row.holds === null || typeof row.holds === "boolean");
  assert.ok(row.ratio === undefined || Number.isFinite(row.ratio), `${row.row}: ${row.ratio}`);
  if (row.value === null) assert.equal(row.holds, null);
  if (row.holds === null) assert.ok(row.why, `${row.row} does not say why it is open`);
  assert.doesNotMatch(row.why ?? "", /\n +at /, `${row.row} failed`);
}

Deno.test("bench router --quick prints a line of JSON for every row", async () => {
  const argv = [
    Deno.execPath(),
    "run",
    "-A",
    "bench/main.ts",
    "router",
    "--quick",
    "--peers",
    "none",
    "--json",
  ];
  const { code, stdout, stderr } = await run(argv, { cwd: ROOT, inheritEnv: true, timeoutMs: 240_000 });
  assert.equal(code, 0, stderr);
  const rows = stdout.trim().split("\n").map((line): Row => JSON.parse(line));
  rows.forEach(checkRow);
  assert.deepEqual([...new Set(rows.map(({ row }) => row))].sort(), Object.keys(ROWS).sort());
});

Deno.test("an unknown bench or row is refused with what there is", async () => {
  const bench = (...args: readonly string[]) =>
    run([Deno.execPath(), "run", "-A", "bench/main.ts", ...args], { cwd: ROOT, inheritEnv: true });
  const unknown = await bench("rooter");
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /there is no bench rooter, only router/);
  assert.match((await bench("router", "--only", "speed")).stderr, /there is no row speed, only added-1k-p50/);
});
