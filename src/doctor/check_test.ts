import assert from "node:assert/strict";
import { type Check, failed, inTime, ok, runChecks } from "./check.ts";

Deno.test("checks run side by side; one that hangs is late, one that breaks has failed", async () => {
  const never = new Promise<never>(() => {});
  const checks: Check[] = [
    { name: "good", run: () => Promise.resolve(ok("yes")) },
    { name: "hangs", run: () => never },
    { name: "hangs too", run: () => never },
    { name: "breaks", run: () => Promise.reject(new Error("oh")) },
    {
      name: "several",
      run: () => Promise.resolve([{ name: "a", ...ok("1") }, { name: "b", ...failed("2", "do") }]),
    },
  ];
  const found = await runChecks(checks, 100);
  assert.deepEqual(found.map(({ name, state }) => `${name}: ${state}`), [
    "good: ok",
    "hangs: late",
    "hangs too: late",
    "breaks: failed",
    "a: ok",
    "b: failed",
  ]);
});

Deno.test("what comes in time is given as it is, and no timer is left", async () => {
  assert.equal(await inTime(60_000, Promise.resolve(3)), 3);
  await assert.rejects(inTime(60_000, Promise.reject(new Error("no"))), /no/);
});
