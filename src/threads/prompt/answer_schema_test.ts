import assert from "node:assert/strict";
import { compileSchema } from "../../schema/mod.ts";
import { answerSchema } from "./answer_schema.ts";
import { costOf } from "./usage.ts";

const look = {
  name: "look",
  description: "",
  parameters: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { at: { type: "string" } },
    required: ["at"],
    additionalProperties: false,
  },
};
const free = {
  name: "free",
  description: "",
  parameters: { type: "object", properties: { mail: { type: "string", format: "email" } } },
};

Deno.test("the schema of an answer takes the tools' own arguments where every decoder knows them", () => {
  const check = compileSchema(answerSchema([look, free], false));
  const answer = (name: string, given: unknown) => ({ text: null, tool_calls: [{ name, arguments: given }] });
  assert.equal(check(answer("look", { at: "x" })), undefined);
  assert.equal(check(answer("free", { mail: 1 })), undefined); // checked when the call comes
  assert.equal(check({ text: "only text", tool_calls: [] }), undefined);
  assert.ok(check(answer("look", { at: 1 })));
  assert.ok(check(answer("other", {})));
  assert.ok(check({ text: "no list" }));
});

Deno.test("where a call is required, an answer without one does not fit", () => {
  const check = compileSchema(answerSchema([look], true));
  assert.ok(check({ text: "no", tool_calls: [] }));
});

Deno.test("an answer's cost follows from the prices of its model", () => {
  const usage = { inputTokens: 1000, outputTokens: 200 };
  assert.equal(costOf(usage, { inputPrice: 3, outputPrice: 15 }), 0.006);
  assert.equal(costOf(usage, { inputPrice: 0.15 }), 0.00015);
  assert.equal(costOf(usage, {}), undefined);
  assert.equal(costOf(usage, undefined), undefined);
});
