import assert from "node:assert/strict";
import { looksCutOff, readAnswer } from "./read_answer.ts";

const call = { name: "look", arguments: { at: "x" } };
const asked = JSON.stringify({ text: "wait", tool_calls: [call] });

const READ: readonly (readonly [string, string, ReturnType<typeof readAnswer>])[] = [
  ["the form asked for", asked, { text: "wait", calls: [call] }],
  ["in a fence", "```json\n" + asked + "\n```", { text: "wait", calls: [call] }],
  ["with talk around it", `Sure!\n${asked}\nDone.`, { text: "wait", calls: [call] }],
  ["plain text", "  hello ", { text: "hello", calls: [] }],
  ["text alone", '{"text":"hello"}', { text: "hello", calls: [] }],
  ["one call alone", JSON.stringify(call), { text: null, calls: [call] }],
  ["blank text", '{"text":" ","tool_calls":[]}', { text: null, calls: [] }],
  [
    "another vendor's form",
    JSON.stringify({ tool_calls: [{ id: "1", function: { name: "look", arguments: '{"at":"x"}' } }] }),
    { text: null, calls: [call] },
  ],
  [
    "arguments that are no JSON",
    '{"tool_calls":[{"name":"look","arguments":"x"}]}',
    { text: null, calls: [{ name: "look", arguments: "x" }] },
  ],
  ["calls that are none", '{"text":"a","tool_calls":[1,{},{"name":""}]}', { text: "a", calls: [] }],
  ["JSON that is the answer itself", '{"total":3}', { text: '{"total":3}', calls: [] }],
  ["nothing", "", { text: null, calls: [] }],
];

for (const [what, text, expected] of READ) {
  Deno.test(`an answer is read: ${what}`, () => assert.deepEqual(readAnswer(text, undefined), expected));
}

Deno.test("what the service read against the schema comes first", () => {
  assert.deepEqual(readAnswer("?", { text: null, tool_calls: [call] }), { text: null, calls: [call] });
});

Deno.test("an answer that stops inside its JSON is known", () => {
  assert.equal(looksCutOff('{"text":"hel'), true);
  assert.equal(looksCutOff('```json\n{"text":"hel'), true);
  assert.equal(looksCutOff(asked), false);
  assert.equal(looksCutOff("hello"), false);
});
