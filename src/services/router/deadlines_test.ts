import assert from "node:assert/strict";
import { TestClock } from "../../base/mod.ts";
import { Deadlines } from "./deadlines.ts";

Deno.test("deadlines fire in order, each at its time, and not once they are over", () => {
  const clock = new TestClock();
  const deadlines = new Deadlines(clock, 100);
  const fired: string[] = [];
  deadlines.add(clock.monotonic(), () => fired.push("one"));
  clock.tick(40);
  const two = deadlines.add(clock.monotonic(), () => fired.push("two"));
  clock.tick(40);
  deadlines.add(clock.monotonic(), () => fired.push("three"));
  clock.tick(20);
  assert.deepEqual(fired, ["one"]);
  two.over = true;
  clock.tick(79);
  assert.deepEqual(fired, ["one"]);
  clock.tick(1);
  assert.deepEqual(fired, ["one", "three"]);
});

Deno.test("thousands that are over leave those that are not", () => {
  const clock = new TestClock();
  const deadlines = new Deadlines(clock, 100);
  let fired = 0;
  for (let i = 0; i < 5_000; i++) deadlines.add(clock.monotonic(), () => fired++).over = i % 1000 !== 7;
  clock.tick(100);
  assert.equal(fired, 5);
});

Deno.test("nothing fires after the close", () => {
  const clock = new TestClock();
  const deadlines = new Deadlines(clock, 100);
  deadlines.add(clock.monotonic(), () => assert.fail("it fired"));
  deadlines.close();
  clock.tick(1000);
});
