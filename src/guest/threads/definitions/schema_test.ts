import assert from "node:assert/strict";
import { z } from "zod";
import type { DefinitionIssue } from "../../spec/issue.ts";
import { isObjectSchema, jsonSchema, objectSchema, schemaFields } from "./schema.ts";

Deno.test("a schema is told as JSON Schema of what a caller may give", () => {
  const schema = z.object({
    city: z.string().describe("Where"),
    days: z.number().int().default(3),
    kind: z.enum(["a", "b"]).optional(),
  });
  assert.ok(isObjectSchema(schema));
  assert.deepEqual(jsonSchema(schema), {
    type: "object",
    properties: {
      city: { type: "string", description: "Where" },
      days: { type: "integer", default: 3, minimum: -9007199254740991, maximum: 9007199254740991 },
      kind: { type: "string", enum: ["a", "b"] },
    },
    required: ["city"],
  });
  assert.deepEqual(schemaFields(schema), ["city", "days", "kind"]);
});

Deno.test("what is no object schema, or has no JSON Schema, is told", () => {
  const said = (value: unknown) => {
    const issues: DefinitionIssue[] = [];
    objectSchema(value, "args", issues);
    return issues.map(({ message }) => message);
  };
  assert.deepEqual(said(z.object({})), []);
  assert.match(said(z.string())[0] ?? "", /not another schema/);
  assert.match(said({ type: "object" })[0] ?? "", /not an object/);
  assert.match(said(z.object({ at: z.date() }))[0] ?? "", /Date cannot be represented/);
});
