import assert from "node:assert/strict";
import { planEgress } from "./sockets.ts";

function plan(...hosts: readonly (readonly [string, number])[]) {
  return planEgress(hosts.map(([host, port]) => ({ host, port, namedLocal: true }))).listens.map(
    ({ host, listen, port }) => [host, `${listen}:${port}`],
  );
}

Deno.test("each host has one loopback address, whatever its ports", () => {
  assert.deepEqual(plan(["a.example", 443], ["b.example", 443], ["a.example", 80]), [
    ["a.example", "127.1.0.2:443"],
    ["b.example", "127.1.0.3:443"],
    ["a.example", "127.1.0.2:80"],
  ]);
});

Deno.test("a loopback address and localhost stand for themselves, and are listened on once", () => {
  assert.deepEqual(plan(["127.0.0.1", 8080], ["127.3.2.1", 8080]), [
    ["127.0.0.1", "127.0.0.1:8080"],
    ["127.3.2.1", "127.3.2.1:8080"],
  ]);
  assert.equal(plan(["127.0.0.1", 8080], ["localhost", 8080]).length, 1);
});
