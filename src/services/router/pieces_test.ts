import assert from "node:assert/strict";
import { TestClock } from "../../base/mod.ts";
import { Pieces } from "./pieces.ts";
import { echoInterface, failed, RouterRig, success } from "./testing.ts";
import type { Progress } from "./upstream.ts";

function told(limit = 1000) {
  const clock = new TestClock();
  const all: Progress[] = [];
  const pieces = new Pieces({ clock, limit, tell: (one) => all.push(one) });
  let done = 0;
  const say = (message: string) => pieces.take({ progress: ++done, message });
  return { clock, pieces, say, texts: () => all.map(({ piece }) => piece && [piece.at, piece.text]), all };
}

Deno.test("the first piece is told at once, what comes within 50 ms as one, and the rest at the end", () => {
  const { clock, pieces, say, texts, all } = told();
  ["The ", "cap", "ital"].forEach(say);
  assert.deepEqual(texts(), [[0, "The "]]);
  clock.tick(50);
  assert.deepEqual(texts(), [[0, "The "], [4, "capital"]]);
  say(" is");
  clock.tick(50);
  clock.tick(50);
  say(" Paris");
  say(".");
  pieces.end();
  assert.deepEqual(texts().slice(2), [[11, " is"], [14, " Paris"], [20, "."]]);
  pieces.take({ progress: 9, total: 10 });
  assert.deepEqual(all.at(-1), { progress: 9, total: 10 });
});

Deno.test("what was told is void once another provider answers; nothing told, nothing void", () => {
  const { clock, pieces, say, texts } = told();
  pieces.void();
  say("Half an");
  say(" answer");
  pieces.void();
  clock.tick(50);
  say("Whole");
  assert.deepEqual(texts(), [[0, "Half an"], [0, ""], [0, "Whole"]]);
});

Deno.test("pieces end where an answer would be too long, and no character is told in halves", () => {
  const { clock, say, texts } = told(10);
  say("🦆".slice(0, 1));
  say(`${"🦆".slice(1)}!`);
  clock.tick(50);
  say("ninety");
  clock.tick(50);
  say("nine");
  clock.tick(50);
  say("9");
  clock.tick(500);
  assert.deepEqual(texts(), [[0, "🦆!"], [3, "ninety"]]);
});

Deno.test("a caller that asks for pieces gets them under its token; who does not gets numbers alone", async () => {
  await using rig = await RouterRig.make();
  const asked: unknown[] = [];
  rig.answers.set("broken", async (call) => {
    await call.progress(1, "Half an");
    return failed("unavailable");
  });
  rig.answers.set("one", async (call) => {
    asked.push(call.message.params._meta);
    await call.progress(1, "Hello");
    return success({ text: "Hello" });
  });
  const { client } = await rig.caller(["broken", "one"]);
  using _client = client;
  const call = async (meta: object) => {
    const params = { name: "echo_text", arguments: { text: "x" }, _meta: { progressToken: "p", ...meta } };
    await client.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }) + "\n");
    const notes = [];
    for (let note = await client.next(); !note.result; note = await client.next()) notes.push(note.params);
    return notes;
  };
  const note = (progress: number, at: number, message: string) => {
    return { progressToken: "p", progress, message, _meta: { "handler/at": at } };
  };
  const notes = await call({ "handler/pieces": true });
  assert.deepEqual(notes, [note(1, 0, "Half an"), note(2, 0, ""), note(3, 0, "Hello")]);
  assert.deepEqual(await call({}), [{ progressToken: "p", progress: 1 }]);
  assert.deepEqual(asked.map((meta) => (meta as Record<string, unknown>)["handler/pieces"]), [
    true,
    undefined,
  ]);
});

Deno.test("a call from within that is cancelled takes its pieces back", async () => {
  await using rig = await RouterRig.make();
  rig.answers.set("one", async (call) => {
    await call.progress(1, "Half an");
    await call.cancelled;
  });
  const calls = rig.router.inside(echoInterface());
  const stop = new AbortController();
  const caller = { id: "project:desk", session: null, scope: rig.scope, privacy: "any" } as const;
  const seen: unknown[] = [];
  const options = {
    signal: stop.signal,
    inPieces: true,
    onProgress: ({ piece }: Progress) => {
      seen.push(piece);
      stop.abort();
    },
  };
  const call = calls.call({ ...caller, selection: () => ["one"] }, "echo_text", { text: "x" }, options);
  await assert.rejects(call, { code: "cancelled" });
  assert.deepEqual(seen, [{ at: 0, text: "Half an" }, { at: 0, text: "" }]);
  calls.close();
});
