import assert from "node:assert/strict";
import { NOTHING, readReport, summary, together } from "./junit.ts";

const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="deno test" tests="3" failures="1" errors="0" time="0.046">
    <testsuite name="./a_test.ts" tests="3" disabled="1" errors="0" failures="1">
        <testcase name="a &lt;b&gt; &amp; &quot;c&quot;" classname="./a_test.ts" time="0.003" line="1" col="6">
        </testcase>
        <testcase name="later" classname="./a_test.ts" time="0.000" line="2" col="6">
            <skipped/>
        </testcase>
        <testcase name="broken" classname="./a_test.ts" time="0.036" line="3" col="6">
            <failure message="Uncaught Error: x &lt;skipped/&gt;">Error: x</failure>
        </testcase>
    </testsuite>
</testsuites>`;

Deno.test("a report is counted test by test", () => {
  const outcome = readReport(REPORT);
  assert.deepEqual(outcome, {
    passed: 1,
    failed: ["./a_test.ts: broken"],
    skipped: ["./a_test.ts: later"],
  });
  assert.equal(summary(together(outcome, outcome)), "2 passed, 2 failed, 2 skipped");
});

Deno.test("names are read as they were written", () => {
  const xml =
    `<testcase name="a &lt;b&gt; &amp;lt;" classname="x"><failure message="m">t</failure></testcase>`;
  assert.deepEqual(readReport(xml).failed, ["x: a <b> &lt;"]);
  assert.deepEqual(readReport(""), NOTHING);
});
