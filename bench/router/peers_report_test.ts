import assert from "node:assert/strict";
import { PeersReport } from "./peers_report.ts";

const cell = (added: number) => ({
  p50_us: 100 + added,
  base_p50_us: 100,
  added_p50_us: added,
  calls_per_s: 10,
});
const peer = (group: "peer" | "product" | "floor", added: number, rounds: number[], foreign: number[]) => ({
  group,
  cells: { "typed-1": cell(added) },
  round_p50_us: { "typed-1": rounds },
  round_foreign: { "typed-1": foreign },
});
const report = new PeersReport({
  failed: { absent: "not installed: absent" },
  peers: {
    slow: peer("peer", 900, [], []),
    quick: peer("peer", 300, [], []),
    own: peer("product", 200, [120, 900, 130, 500], [0, 2, 0.1, 3]),
    floor: peer("floor", 100, [100, 100, 100, 100], [0, 0, 0, 0]),
  },
});

Deno.test("gateways come quickest first, without the product and the floor", () => {
  assert.deepEqual(report.gateways(), ["quick", "slow"]);
  assert.deepEqual(report.absent(), [{ peer: "absent", why: "absent: not installed: absent" }]);
});

Deno.test("whole times are compared round by round, in the quieter half", () => {
  assert.equal(report.wholeRatio("own", "floor", "typed-1"), 1.25);
});

Deno.test("a peer without figures says why", () => {
  assert.equal(report.entry("own", "typed-1").added_p50_us, 200);
  assert.throws(() => report.entry("absent", "typed-1"), /absent gave no figures: not installed/);
});
