import assert from "node:assert/strict";
import { echoInterface, failed, RouterRig, success } from "./testing.ts";
import type { Caller } from "./ports.ts";

async function rigged(bindings: readonly string[]) {
  const rig = await RouterRig.make();
  const calls = rig.router.inside(echoInterface());
  const caller: Caller = {
    ...{ id: "project:desk", session: null, scope: rig.scope, privacy: "any" },
    selection: () => bindings,
  };
  const stop = new AbortController();
  const told: number[] = [];
  return {
    rig,
    stop,
    told,
    call: (tool: string, args: Record<string, string>) =>
      calls.call(caller, tool, args, {
        signal: stop.signal,
        onProgress: ({ progress }) => void told.push(progress),
        inPieces: false,
      }),
    async [Symbol.asyncDispose]() {
      calls.close();
      await rig[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a call from within goes the way of every call, and leaves its record", async () => {
  await using it = await rigged(["one"]);
  it.rig.answers.set("one", async (call) => {
    await call.progress(1);
    return success({ text: call.arguments.text });
  });
  assert.deepEqual(await it.call("echo_text", { text: "a" }), { text: "a" });
  assert.deepEqual(await it.call("echo_text", { text: "b" }), { text: "b" });
  assert.deepEqual(it.told, [1, 1]);
  assert.deepEqual(it.rig.starts, ["one"]);
  assert.deepEqual(it.rig.records.map(({ caller, tool, error }) => [caller, tool, error]), [
    ["project:desk", "echo_text", null],
    ["project:desk", "echo_text", null],
  ]);
});

Deno.test("what fails, fails with a code: input, tool, provider, cancel", async () => {
  await using it = await rigged(["one"]);
  it.rig.answers.set("one", async (call) => {
    if (call.arguments.text === "odd") return failed("odd", "too odd");
    await call.cancelled;
  });
  await assert.rejects(it.call("echo_text", {}), { code: "invalid_input" });
  await assert.rejects(it.call("none", {}), { code: "invalid_input" });
  await assert.rejects(it.call("echo_text", { text: "odd" }), { code: "odd", message: "too odd" });
  const waiting = it.call("echo_text", { text: "wait" });
  setTimeout(() => it.stop.abort(), 20);
  await assert.rejects(waiting, { code: "cancelled" });
  await assert.rejects(it.call("echo_text", { text: "late" }), { code: "cancelled" });
});

Deno.test("nothing chosen is unavailable", async () => {
  await using it = await rigged([]);
  await assert.rejects(it.call("echo_text", { text: "a" }), { code: "unavailable" });
});
