import assert from "node:assert/strict";
import { compileSchema } from "./compile_schema.ts";
import type { Schema } from "./schema_walk.ts";

const BLOCK = {
  type: "object",
  additionalProperties: false,
  required: ["text"],
  properties: { text: { type: "string" } },
};
const PAGES: Schema = {
  type: "object",
  additionalProperties: false,
  required: ["pages"],
  properties: { pages: { type: "array", items: { $ref: "#/$defs/block" } } },
  $defs: { block: BLOCK },
};

Deno.test("a value that fits has no problem; one that does not has a path, a rule and a message", () => {
  const check = compileSchema(PAGES);
  assert.equal(check({ pages: [{ text: "a" }] }), undefined);
  assert.deepEqual(check({ pages: [{ text: "a" }, { text: 5 }] }), {
    path: "/pages/1/text",
    rule: "type",
    message: "must be string",
  });
  assert.deepEqual(check({}), { path: "", rule: "required", message: "must have required property 'pages'" });
  assert.equal(check(null)?.rule, "type");
  assert.equal(check(undefined)?.rule, "type");
});

Deno.test("a field that a vendor added is named, but only where its name is a plain word", () => {
  const check = compileSchema(PAGES);
  assert.match(check({ pages: [], confidence: 1 })?.message ?? "", /additional property "confidence"/);
  assert.doesNotMatch(check({ pages: [], "ann@bank.example 4711": 1 })?.message ?? "", /ann|4711/);
});

Deno.test("nothing of the value is told", () => {
  const canary = "canary-7f3a";
  const schemas: readonly Schema[] = [
    { const: "x" },
    { enum: ["a", "b"] },
    { type: "number" },
    { type: "string", pattern: "^x$" },
    { type: "string", format: "date" },
    { type: "string", maxLength: 2 },
    { type: "array", items: { type: "number" }, uniqueItems: true },
    { type: "object", additionalProperties: { type: "number" } },
    { type: "object", propertyNames: { maxLength: 2 } },
    { type: "object", patternProperties: { "^c": { type: "number" } } },
    { oneOf: [{ type: "number" }, { type: "object", required: ["a"] }] },
    { not: {} },
  ];
  for (const schema of schemas) {
    const check = compileSchema(schema);
    for (
      const value of [canary, [canary, canary], { [canary]: canary }, { [`${canary}@x`]: { a: canary } }]
    ) {
      const told = JSON.stringify(check(value) ?? {}).replace(`additional property \\"${canary}\\"`, "");
      assert.doesNotMatch(told, /canary/, JSON.stringify(schema));
    }
  }
});

Deno.test("of a union the branch that got furthest is told", () => {
  const branch = (kind: string, type: string) => ({
    type: "object",
    required: ["kind", "at"],
    properties: { kind: { const: kind }, at: { type: "object", properties: { x: { type } } } },
  });
  const problem = compileSchema({ oneOf: [branch("a", "number"), branch("b", "string")] })({
    kind: "b",
    at: { x: 1 },
  });
  assert.equal(problem?.path, "/at/x");
});

Deno.test("draft 2020-12 is spoken: prefixItems, unevaluatedProperties, $anchor, dependentRequired, circles", () => {
  const tuple = compileSchema({ type: "array", prefixItems: [{ type: "string" }], items: false });
  assert.equal(tuple(["a"]), undefined);
  assert.equal(tuple(["a", 1])?.path, "");
  const open = compileSchema({
    allOf: [{ properties: { a: { type: "string" } } }],
    unevaluatedProperties: false,
  });
  assert.equal(open({ a: "x" }), undefined);
  assert.equal(open({ b: "x" })?.rule, "unevaluatedProperties");
  const kids = { type: "array", items: { $ref: "#tree" } };
  const tree = compileSchema({
    $ref: "#tree",
    $defs: { tree: { $anchor: "tree", type: "object", properties: { kids } } },
  });
  assert.equal(tree({ kids: [{ kids: [] }] }), undefined);
  assert.equal(tree({ kids: [{ kids: [1] }] })?.path, "/kids/0/kids/0");
  const pointed = compileSchema({
    properties: {
      a: { anyOf: [{ type: "string" }, { type: "number" }] },
      b: { $ref: "#/properties/a/anyOf/1" },
    },
  });
  assert.equal(pointed({ b: 1 }), undefined);
  assert.equal(pointed({ b: "x" })?.path, "/b");
});

Deno.test("schemas that nobody should trust are refused: remote, dangling, unknown, old, slow, huge", () => {
  let deep: Record<string, unknown> = { type: "string" };
  for (let at = 0; at < 20_000; at++) deep = { type: "array", items: deep };
  const inside: Record<string, unknown> = {};
  inside["properties"] = { inside };
  const refused: readonly unknown[] = [
    { $ref: "http://127.0.0.1:9/schema.json" },
    { $ref: "other.json" },
    { $ref: "#/$defs/nothing" },
    { $dynamicRef: "http://127.0.0.1:9/x#y" },
    { tpye: "string" },
    { type: "text" },
    { type: "string", format: "phone" },
    { type: "string", pattern: "(" },
    { type: "string", pattern: "^(a+)+$" },
    { type: "object", patternProperties: { "^(a|a)*$": {} } },
    { type: "array", items: [] },
    { required: null },
    { minLength: "1); throw 1; (" },
    { $schema: "http://json-schema.org/draft-07/schema#" },
    { enum: Array.from({ length: 30_000 }, (_, at) => at) },
    { description: "x".repeat(600_000) },
    deep,
    inside,
  ];
  const start = performance.now();
  for (const schema of refused) {
    assert.throws(
      () => compileSchema(schema as Schema),
      { name: "HandlerError", kind: "invalid" },
      JSON.stringify(schema === inside ? "" : schema).slice(0, 80),
    );
  }
  assert.ok(performance.now() - start < 10_000);
});

Deno.test("a value of 20,000 levels gets an answer", () => {
  const check = compileSchema({ type: "object", properties: { in: { $ref: "#" } } });
  let deep: Record<string, unknown> = {};
  for (let at = 0; at < 20_000; at++) deep = { in: deep };
  assert.ok(["depth", undefined].includes(check(deep)?.rule));
});

Deno.test("true takes all, false nothing", () => {
  assert.equal(compileSchema(true)({ a: 1 }), undefined);
  assert.equal(compileSchema(false)(1)?.path, "");
});
