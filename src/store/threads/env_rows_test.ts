import assert from "node:assert/strict";
import { storeWithThread } from "./testing.ts";

Deno.test("variables of a thread are set, replaced and listed by name", async () => {
  using store = await storeWithThread();
  await store.write("process", (tx) => {
    tx.putEnv("t1", { name: "TOKEN", value: "x", type: "text" });
    tx.putEnv("t1", { name: "CITY", value: "Bern", type: "text" });
    tx.putEnv("t1", { name: "TOKEN", value: "y", type: "secret" });
  });
  assert.deepEqual(store.env("t1"), [
    { name: "CITY", value: "Bern", type: "text" },
    { name: "TOKEN", value: "y", type: "secret" },
  ]);
  assert.deepEqual(store.env("t9"), []);
});
