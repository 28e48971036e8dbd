import assert from "node:assert/strict";
import type { LlmMessage } from "./llm_message.ts";
import { GOING_ON, modelMessages, OPENING } from "./model_messages.ts";

const call = JSON.stringify([{ id: "1", name: "look", arguments: { at: "x" } }]);

Deno.test("calls and results travel in the two roles of llm/v1", () => {
  const history: LlmMessage[] = [
    { role: "user", content: "where is x?" },
    { role: "assistant", content: null, tool_calls: call },
    { role: "tool", content: "here", name: "look", tool_call_id: "1", tool_status: "success" },
    { role: "tool", content: "gone", name: "look", tool_call_id: "2", tool_status: "error" },
    { role: "system", content: "be brief" },
  ];
  assert.deepEqual(modelMessages(history, true), [
    { role: "user", content: "where is x?" },
    { role: "assistant", content: '{"text":null,"tool_calls":[{"name":"look","arguments":{"at":"x"}}]}' },
    { role: "user", content: "[Result of look]\nhere\n\n[Error of look]\ngone\n\n[System]\nbe brief" },
  ]);
});

Deno.test("earlier answers have the form that the next one is asked for", () => {
  const history: LlmMessage[] = [{ role: "user", content: "hi" }, { role: "assistant", content: "ho" }];
  assert.equal(modelMessages(history, false)[1]!.content, "ho");
  assert.equal(modelMessages(history, true)[1]!.content, '{"text":"ho","tool_calls":[]}');
});

Deno.test("a conversation begins and ends with the user", () => {
  assert.deepEqual(modelMessages([], false), [{ role: "user", content: OPENING }]);
  const messages = modelMessages([{ role: "assistant", content: "so?" }], false);
  assert.deepEqual(messages.map((message) => message.content), [OPENING, "so?", GOING_ON]);
});

Deno.test("attachments are named", () => {
  const attachments = [{ path: "/attachments/a.pdf", mimeType: "application/pdf" }];
  const [message] = modelMessages([{ role: "user", content: "read", attachments }], false);
  assert.equal(message!.content, "read\n[Attached file /attachments/a.pdf (application/pdf)]");
});
