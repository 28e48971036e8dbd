import assert from "node:assert/strict";
import { demoProblems } from "./check_demo.ts";

const SERVED = "0".repeat(64);
const text = "Total due GBP 1,084.85";

const relay = {
  ...{ answer: "Paris.", inner: 1, outer: 0 },
  turns: ["handler relay_pipe", "prompt assistant", "handler deliver"],
};

function story(): { ok: boolean; steps: { name: string; data: Record<string, unknown> | unknown[] }[] } {
  return {
    ok: true,
    steps: [
      {
        name: "the agent clerk reads a scanned invoice",
        data: { mcp: { served: SERVED, text }, script: { text }, secrets: [], network: "refused (x)" },
      },
      { name: "one value changes: services", data: { served: SERVED, vendorCalls: 2 } },
      { name: "the call records: who, what", data: [{ binding: "ocr-local" }, { binding: "ocr-vendor" }] },
      { name: "handler connector check ocr-tesseract", data: { passed: true } },
      {
        name: "the code and the schema change",
        data: { rehearsal: [{ table: "tags", before: null, after: 1 }] },
      },
      { name: "handler app rollback notes", data: { plan: { lostRows: [{ table: "notes", rows: 1 }] } } },
      { name: 'handler thread send 01jd… "?"', data: relay },
      { name: "the vendor's secret is searched for", data: { found: [] } },
    ],
  };
}

Deno.test("a whole story holds", () => {
  assert.deepEqual(demoProblems(story()), []);
});

Deno.test("each claim is checked", () => {
  const told = story();
  told.steps[1]!.data = { served: "1".repeat(64), vendorCalls: 0 };
  told.steps[2]!.data = [{ binding: "ocr-local" }, { binding: "llm-demo" }];
  told.steps.pop();
  told.steps.pop();
  assert.deepEqual(demoProblems(told), [
    "does not hold: the agent is served the same bytes after the swap",
    "does not hold: the vendor was called",
    "does not hold: calls of both bindings are on record",
    "does not hold: the relay's answer came back",
    "does not hold: the outer thread asked no model",
    "does not hold: the answer was a turn of its own",
    "does not hold: the secret is nowhere",
  ]);
  assert.equal(demoProblems({ ok: false, steps: [] }).length, 1);
  assert.equal(demoProblems({ ok: true, steps: [] }).length, 14);
});
