import assert from "node:assert/strict";
import { handled } from "./definitions.ts";
import { Harness } from "./harness.ts";

const MIB = 1024 * 1024;

Deno.test("what would be too large to be read back is refused, in words that say what is allowed", async () => {
  const body = `const over = "x".repeat(4 * 1024 * 1024 + 1);
    const tries = [
      () => state.injectMessage({ role: "assistant", content: over }),
      () => state.queueMessage({ role: "user", content: "", metadata: { over } }),
      () => state.updateMessage(message.id, { content: over }),
      () => state.notifyParent(over),
      () => state.stopSession({ result: over }),
      () => state.emit("event", over.slice(0, 70_000)),
    ];
    for (const one of tries) { try { await one(); probe.note("taken"); } catch (error) { probe.note(error.message); } }`;
  await using bench = await Harness.open({ files: handled(body) });
  const thread = await bench.create("it");
  await bench.send(thread, "go");
  await bench.idle();
  const notes = bench.probe.notes as string[];
  assert.deepEqual(notes.slice(0, 5).map((text) => /has at most/.test(text)), [true, true, true, true, true]);
  assert.match(bench.turns(thread)[0]!.error!.message, /the data has at most 65536 characters/);
  assert.deepEqual(bench.messages(thread).map(({ content }) => content), ["go"]);
});

Deno.test("a page of large messages ends before it fills the memory, and says that there are more", async () => {
  const body = `for (let n = 0; n < 10; n++) {
      await state.injectMessage({ role: "assistant", content: String(n) + "x".repeat(3 * 1024 * 1024) });
    }
    let total = 0, pages = 0, seen = "";
    for (let offset = 0, more = true; more; pages++) {
      const page = await state.getMessages({ limit: 1000, offset, order: "desc" });
      seen += page.messages.map(({ content }) => content[0]).join("");
      offset += page.messages.length;
      more = page.hasMore;
    }
    probe.note([seen, pages]);`;
  await using bench = await Harness.open({ files: handled(body) });
  const thread = await bench.create("it");
  await bench.send(thread, "go");
  await bench.idle();
  assert.deepEqual(bench.probe.notes, [["9876543210g", 2]]);
  const page = bench.threads.messages(thread, { limit: 1000, offset: 0, order: "desc", includeSilent: true });
  assert.ok(page.length < 6 && page.reduce((sum, { content }) => sum + content!.length, 0) <= 16 * MIB);
});
