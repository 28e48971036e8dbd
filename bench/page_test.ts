import assert from "node:assert/strict";
import { pageOf } from "./page.ts";
import type { Row } from "./report.ts";

const rows: readonly Row[] = [
  {
    bench: "router",
    row: "added",
    value: 0.2,
    unit: "ms",
    goal: "≤ 1.5 × hop",
    holds: false,
    peer: "hop",
    ratio: 2,
  },
  {
    bench: "router",
    row: "added",
    value: 0.2,
    unit: "ms",
    goal: "≤ 1.5 × hop",
    holds: null,
    peer: "a<b",
    ratio: 0.5,
  },
  {
    bench: "apps",
    row: "wake",
    value: null,
    unit: "ms",
    goal: "≤ 27",
    holds: null,
    why: "no bubblewrap here",
  },
];

Deno.test("a page has each row once, with the value and what stood beside it", () => {
  const page = pageOf(rows, "2 cores");
  assert.equal(page.match(/<h3>/g)?.length, 2);
  assert.match(page, /aria-label="Handler 0.2 ms, hop 0.1 ms, a&lt;b 0.4 ms"/);
  assert.match(page, /0 goals hold, 1 do not, 2 are open\./);
  assert.match(page, /added <span class="missed">/);
});

Deno.test("what was not measured says why", () => {
  assert.match(pageOf(rows, ""), /not measured<\/p>\s*<ul><li>no bubblewrap here/);
});

Deno.test("the longest bar is the largest value", () => {
  const widths = [...pageOf(rows.slice(0, 2), "").matchAll(/<rect[^>]*width="([\d.]+)"/g)].map(([, width]) =>
    Number(width)
  );
  assert.deepEqual(widths.map((width) => Math.round(width / widths[2]! * 100)), [50, 25, 100]);
});
