import assert from "node:assert/strict";
import { codeOf, RouterRig, success } from "./testing.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(what: () => boolean): Promise<void> {
  for (let tries = 0; !what(); tries++) {
    assert.ok(tries < 400, `waited in vain for ${what}`);
    await pause(5);
  }
}

Deno.test("50 first calls of 50 callers start one connector; 100 more leave one", async () => {
  await using rig = await RouterRig.make();
  rig.answers.set("one", (call) => success(call.arguments));
  const callers = await Promise.all(Array.from({ length: 50 }, () => rig.caller(["one"])));
  for (let round = 0; round < 3; round++) {
    const results = await Promise.all(
      callers.map(({ client }, i) => client.call("echo_text", { text: `${i}` })),
    );
    assert.deepEqual(results.map((result) => result.structuredContent.text), callers.map((_, i) => `${i}`));
  }
  assert.deepEqual(rig.starts, ["one"]);
  assert.equal(rig.running, 1);
  callers.forEach(({ client }) => client[Symbol.dispose]());
});

Deno.test("an unused connector is stopped, never during a call, and comes back by itself", async () => {
  await using rig = await RouterRig.make();
  rig.idleMs = 60;
  rig.answers.set("one", async (call) => {
    await pause(200);
    return success(call.arguments);
  });
  using client = (await rig.caller(["one"])).client;
  assert.equal((await client.call("echo_text", { text: "a" })).structuredContent.text, "a");
  await until(() => rig.running === 0);
  assert.equal((await client.call("echo_text", { text: "b" })).structuredContent.text, "b");
  assert.equal(rig.starts.length, 2);
});

Deno.test("a connector that dies mid-call fails that call alone and is back at the next", async () => {
  await using rig = await RouterRig.make();
  rig.answers.set("one", (call) => {
    if (call.arguments.text !== "die") return success(call.arguments);
    call.die();
  });
  using client = (await rig.caller(["one"])).client;
  assert.equal(codeOf(await client.call("echo_text", { text: "die" })), "unavailable");
  assert.equal((await client.call("echo_text", { text: "ok" })).structuredContent.text, "ok");
  assert.equal(rig.running, 1);
});

Deno.test("one that crashes again and again is backed off: calls fail at once, no start is tried", async () => {
  await using rig = await RouterRig.make();
  using client = (await rig.caller(["missing"])).client;
  for (let i = 0; i < 6; i++) {
    assert.equal(codeOf(await client.call("echo_text", { text: "x" })), "unavailable");
  }
  assert.equal(rig.starts.length, 2);
  assert.match(rig.records.at(-1)!.detail!, /the next start is tried in \d+ s/);
  assert.equal(rig.router.instances.status()[0]?.state, "backing-off");
  rig.answers.set("missing", (call) => success(call.arguments));
  await rig.router.instances.restart("missing");
  assert.equal((await client.call("echo_text", { text: "y" })).structuredContent.text, "y");
});

Deno.test("a changed binding: the new one serves, the old one finishes its calls and goes", async () => {
  await using rig = await RouterRig.make();
  let generation = 1;
  const release = Promise.withResolvers<void>();
  rig.answers.set("one", async (call) => {
    const mine = generation;
    if (call.arguments.text === "slow") await release.promise;
    return success({ text: `${call.arguments.text}${mine}` });
  });
  const { client } = await rig.caller(["one"]);
  const other = (await rig.caller(["one"])).client;
  const slow = client.call("echo_text", { text: "slow" });
  await until(() => rig.running === 1);
  await pause(50);
  rig.bindingHash = "b2";
  assert.deepEqual(await rig.router.instances.refresh(), []);
  generation = 2;
  assert.equal(rig.running, 2);
  assert.equal((await other.call("echo_text", { text: "new" })).structuredContent.text, "new2");
  release.resolve();
  assert.equal((await slow).structuredContent.text, "slow1");
  await until(() => rig.running === 1);
  client[Symbol.dispose]();
  other[Symbol.dispose]();
});

Deno.test("a new form that does not start leaves the old one serving and is told", async () => {
  await using rig = await RouterRig.make();
  rig.answers.set("one", (call) => success(call.arguments));
  using client = (await rig.caller(["one"])).client;
  await client.call("echo_text", { text: "a" });
  rig.answers.delete("one");
  rig.bindingHash = "b2";
  const problems = await rig.router.instances.refresh();
  assert.match(problems[0]!.message, /binding one/);
  assert.equal(rig.running, 1);
});
