import assert from "node:assert/strict";
import type { MessageRow, ThreadMessage } from "$client";
import { isAside, ofRow, ofWire } from "./message.ts";

const row: MessageRow = {
  ...{ thread: "t", seq: 3, rev: 4, id: "m1", role: "assistant", content: "Hello", name: null },
  ...{ toolCalls: '[{"id":"c","name":"read","arguments":"{}"}]', toolCallId: null, toolStatus: null },
  ...{ createdAt: 5_000_000, silent: false, metadata: '{"subagent_id":"child"}', parentId: null, depth: 0 },
  ...{
    attachments: '[{"path":"/attachments/a.png","mimeType":"image/png"}]',
    turn: "u",
    hops: 0,
    deleted: false,
  },
};

Deno.test("a message is the same from the list and from what changes", () => {
  const wire: ThreadMessage = {
    ...{ id: "m1", role: "assistant", content: "Hello", created_at: 5_000_000, status: "completed" },
    ...{ seq: 3, turn: "u" },
    tool_calls: row.toolCalls!,
    metadata: { subagent_id: "child" },
    attachments: [{ path: "/attachments/a.png", mimeType: "image/png" }],
  };
  assert.deepEqual(ofWire(wire), ofRow(row));
  assert.equal(ofRow(row).at, 5000);
});

Deno.test("what is no word of the conversation is folded", () => {
  const message = ofRow(row);
  assert.equal(isAside(message), false);
  assert.equal(isAside({ ...message, content: "" }), true);
  assert.equal(isAside({ ...message, role: "tool" }), true);
  assert.equal(isAside({ ...message, silent: true }), true);
});

Deno.test("what cannot be read of a row is left out", () => {
  const message = ofRow({ ...row, toolCalls: "{", attachments: '[7,{"mimeType":"x"},"/a"]', metadata: null });
  assert.deepEqual([message.calls, message.subagent], [[], null]);
  assert.deepEqual(message.attachments, [{
    path: "/a",
    mimeType: "application/octet-stream",
    size: undefined,
  }]);
});
