import assert from "node:assert/strict";
import { checkArguments } from "./check_arguments.ts";

const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: { at: { type: "string" }, many: { type: "integer" } },
  required: ["at"],
  additionalProperties: false,
};

Deno.test("arguments that fit pass, a tool without a schema takes any object", () => {
  assert.equal(checkArguments("look", SCHEMA, { at: "x", many: 2 }), undefined);
  assert.equal(checkArguments("look", undefined, { what: "ever" }), undefined);
});

Deno.test("a model is told where its arguments are wrong, and what would fit", () => {
  const result = checkArguments("look", SCHEMA, { at: "x", many: "two" });
  assert.equal(result?.error, 'the arguments of look do not fit: "/many" must be integer');
  assert.equal(result.error_code, "invalid_arguments");
  assert.deepEqual(result.error_data, { schema: SCHEMA });
  assert.match(checkArguments("look", SCHEMA, {})!.error!, /they must have required property 'at'/);
  assert.match(checkArguments("look", SCHEMA, "x")!.error!, /must be a JSON object/);
});

Deno.test("a pattern or format that is not known here does not close a tool", () => {
  const schema = {
    type: "object",
    properties: {
      pattern: { type: "string", pattern: "(a+)+$", format: "cuid2" },
      count: { type: "number" },
    },
  };
  assert.equal(checkArguments("look", schema, { pattern: "aaaa" }), undefined);
  assert.match(checkArguments("look", schema, { count: "one" })!.error!, /must be number/);
});
