import assert from "node:assert/strict";
import { Contacted } from "./contacted.ts";

Deno.test("a connection counts with its bytes so far while it is open, and is the store's once it has ended", () => {
  let now = 100;
  const contacted = new Contacted({ now: () => now, monotonic: () => now });
  const traffic = { sent: 0, received: 0 };
  const ended = contacted.opened("connector-model-1", "a.example", 443, traffic);
  Object.assign(traffic, { sent: 20, received: 300 });
  assert.deepEqual(contacted.open(100, 200), [{
    ...{ sandbox: "connector-model-1", host: "a.example", port: 443, connections: 1 },
    ...{ sentBytes: 20, receivedBytes: 300 },
  }]);
  now = 120;
  assert.equal(contacted.open(110, 200).length, 1, "it began before, and is still open");
  assert.deepEqual(contacted.open(121, 200), [], "that time has not come");
  assert.deepEqual(contacted.open(0, 100), [], "it began after");
  now = 150;
  ended();
  assert.deepEqual(contacted.open(0, 200), []);
  assert.deepEqual(contacted.since("connector-model-1", 150), ["a.example:443"]);
  assert.deepEqual(contacted.since("connector-model-1", 151), []);
  contacted.forget("connector-model-1");
  assert.deepEqual(contacted.since("connector-model-1", 0), []);
});
