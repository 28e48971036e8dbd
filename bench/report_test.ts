import assert from "node:assert/strict";
import { table } from "./report.ts";

Deno.test("the table says what holds, what does not, and what could not be told", () => {
  const row = { bench: "router", unit: "ms", goal: "≤ 2 ms" };
  const text = table([
    { ...row, row: "a", value: 1, holds: true, peer: "hop", ratio: 0.5 },
    { ...row, row: "b", value: 3, holds: false },
    { ...row, row: "c", value: null, holds: null, why: "no engine" },
    { ...row, row: "d", value: 4, holds: null, why: "too noisy" },
  ]);
  const lines = text.split("\n");
  assert.match(lines[2] ?? "", /router a +\| 1 ms +\| ≤ 2 ms +\| yes +\| 0\.5 +\| hop/);
  assert.match(lines[3] ?? "", /router b +\| 3 ms +\| ≤ 2 ms +\| NO/);
  assert.match(lines[4] ?? "", /router c +\| – +\| ≤ 2 ms +\| not measured/);
  assert.match(lines[5] ?? "", /router d +\| 4 ms +\| ≤ 2 ms +\| open/);
  assert.deepEqual(lines.slice(7), ["- c: no engine", "- d: too noisy"]);
});
