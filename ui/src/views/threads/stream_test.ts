import assert from "node:assert/strict";
import type { Message } from "./message.ts";
import { itemsOf, keyOf, workOf } from "./stream.ts";

const DAY = 86_400_000;

function message(seq: number, given: Partial<Message> = {}): Message {
  return {
    ...{
      id: `m${seq}`,
      seq,
      role: "user",
      content: "hi",
      name: null,
      calls: [],
      callId: null,
      toolStatus: null,
    },
    ...{ at: seq, silent: false, attachments: [], depth: 0, turn: null, subagent: null, metadata: undefined },
    ...given,
  };
}

const call = { id: "c1", name: "look_up", arguments: "{}" };
const messages = [
  message(1),
  message(2, { role: "assistant", content: "", calls: [call] }),
  message(3, { role: "tool", name: "look_up", callId: "c1", toolStatus: "error" }),
  message(4, { silent: true }),
  message(5, { role: "assistant" }),
  message(6, { at: DAY + 6 }),
  message(7, { at: DAY + 7, role: "system" }),
];
const items = itemsOf(messages, (at) => String(Math.floor(at / DAY)));

Deno.test("work between messages is one item, and each day begins with one", () => {
  assert.deepEqual(items.map(({ key }) => key), [
    "day-0-1",
    "m1",
    "work-m2",
    "m5",
    "day-1-6",
    "m6",
    "work-m7",
  ]);
  assert.equal(keyOf(items, "m3"), "work-m2");
  assert.equal(keyOf(items, "m6"), "m6");
  assert.equal(keyOf(items, "none"), undefined);
});

Deno.test("what a word calls is work behind it", () => {
  const said = [message(1, { role: "assistant", calls: [call] }), message(2, { role: "tool", callId: "c1" })];
  const [, word, work] = itemsOf(said, () => "today");
  assert.deepEqual([word?.key, work?.key], ["m1", "work-m1"]);
  assert.ok(work?.kind === "work" && word?.kind === "said");
  assert.deepEqual(work.messages.map(({ id, content }) => [id, content]), [["m1/calls", ""], ["m2", "hi"]]);
});

Deno.test("work is counted", () => {
  const work = items.find(({ kind }) => kind === "work");
  assert.ok(work?.kind === "work");
  assert.deepEqual(workOf(work.messages), { tools: ["look_up"], calls: 1, failed: 1, silent: 1 });
});
