import assert from "node:assert/strict";
import { compileFileFinder, findFiles } from "./file_finder.ts";
import type { Schema } from "./schema_walk.ts";

const FILE = { type: "string", format: "handler-file" };
const OUT = { type: "string", format: "handler-output-file" };

function found(schema: Schema, value: unknown): readonly string[] {
  return findFiles(schema, value).map(({ path, format, value }) =>
    `${path.join("/")} ${format === "handler-file" ? "<" : ">"} ${value}`
  );
}

const WAYS: readonly (readonly [string, Schema, unknown, readonly string[]])[] = [
  ["a property", { properties: { path: FILE, note: { type: "string" } } }, { path: "a", note: "b" }, [
    "path < a",
  ]],
  ["the root", FILE, "a", [" < a"]],
  ["both formats", { properties: { in: FILE, out: OUT } }, { in: "a", out: "b" }, ["in < a", "out > b"]],
  ["a reference", { properties: { p: { $ref: "#/$defs/f" } }, $defs: { f: FILE } }, { p: "a" }, ["p < a"]],
  [
    "references in a row",
    { properties: { p: { $ref: "#/$defs/a" } }, $defs: { a: { $ref: "#/$defs/b" }, b: FILE } },
    { p: "a" },
    ["p < a"],
  ],
  ["an anchor", { properties: { p: { $ref: "#f" } }, $defs: { f: { $anchor: "f", ...FILE } } }, { p: "a" }, [
    "p < a",
  ]],
  ["a pointer with escapes", { properties: { p: { $ref: "#/$defs/a~1b%20c" } }, $defs: { "a/b c": FILE } }, {
    p: "a",
  }, ["p < a"]],
  ["an array", { properties: { p: { type: "array", items: FILE } } }, { p: ["a", "b"] }, [
    "p/0 < a",
    "p/1 < b",
  ]],
  ["a tuple", { type: "array", prefixItems: [{ type: "string" }, FILE], items: OUT }, ["no", "a", "b"], [
    "1 < a",
    "2 > b",
  ]],
  ["contains", { type: "array", contains: { ...FILE, minLength: 3 } }, ["ab", "abc"], ["1 < abc"]],
  ["allOf", { allOf: [{ properties: { p: FILE } }, { properties: { q: FILE } }] }, { p: "a", q: "b" }, [
    "p < a",
    "q < b",
  ]],
  ["anyOf", { properties: { p: { anyOf: [{ type: "null" }, FILE] } } }, { p: "a" }, ["p < a"]],
  ["the other branch of anyOf", { properties: { p: { anyOf: [{ type: "null" }, FILE] } } }, { p: null }, []],
  [
    "a map",
    { additionalProperties: FILE, properties: { note: { type: "string" } } },
    { note: "no", x: "a" },
    ["x < a"],
  ],
  ["names by pattern", { patternProperties: { "^f_": FILE } }, { f_1: "a", g: "b" }, ["f_1 < a"]],
  [
    "a map beside a pattern",
    { patternProperties: { "^x": { type: "string" } }, additionalProperties: FILE },
    { x1: "no", y: "a" },
    ["y < a"],
  ],
  ["dependentSchemas", { dependentSchemas: { k: { properties: { p: FILE } } } }, { k: 1, p: "a" }, ["p < a"]],
  ["dependentSchemas of another", { dependentSchemas: { k: { properties: { p: FILE } } } }, { p: "a" }, []],
  ["a property called properties", { properties: { properties: { properties: { format: FILE } } } }, {
    properties: { format: "a" },
  }, ["properties/format < a"]],
  [
    "a property called __proto__",
    JSON.parse('{"properties":{"__proto__":{"type":"string","format":"handler-file"}}}'),
    JSON.parse('{"__proto__":"a"}'),
    ["__proto__ < a"],
  ],
];

for (const [what, schema, value, expected] of WAYS) {
  Deno.test(`a file behind ${what}`, () => assert.deepEqual(found(schema, value), expected));
}

const UNION: Schema = {
  oneOf: [
    { type: "object", required: ["kind"], properties: { kind: { const: "file" }, data: FILE } },
    { type: "object", required: ["kind"], properties: { kind: { const: "text" }, data: { type: "string" } } },
  ],
};

Deno.test("of a union only the branch that accepts the value counts", () => {
  assert.deepEqual(found(UNION, { kind: "file", data: "a" }), ["data < a"]);
  assert.deepEqual(found(UNION, { kind: "text", data: "a" }), []);
});

Deno.test("of a condition the side that holds counts", () => {
  const schema: Schema = {
    if: { properties: { mode: { const: "read" } } },
    then: { properties: { p: FILE } },
    else: { properties: { p: OUT } },
  };
  assert.deepEqual(found(schema, { mode: "read", p: "a" }), ["p < a"]);
  assert.deepEqual(found(schema, { mode: "write", p: "a" }), ["p > a"]);
});

Deno.test("a tree of itself is searched to its leaves, in every branch", () => {
  const schema: Schema = {
    type: "object",
    properties: {
      path: FILE,
      kids: { type: "array", items: { anyOf: [{ $ref: "#" }, { type: "string" }] } },
    },
  };
  const value = { path: "a", kids: ["text", { path: "b", kids: [{ path: "c" }] }] };
  assert.deepEqual(found(schema, value), ["path < a", "kids/1/path < b", "kids/1/kids/0/path < c"]);
});

Deno.test("one place is told once, however many ways lead to it", () => {
  const schema: Schema = {
    allOf: [{ properties: { p: FILE } }, { $ref: "#/$defs/x" }],
    properties: { p: FILE },
    $defs: { x: { properties: { p: FILE } } },
  };
  assert.deepEqual(found(schema, { p: "a" }), ["p < a"]);
});

Deno.test("a schema without a file has no finder, nor has one whose file nobody refers to", () => {
  assert.equal(compileFileFinder({ properties: { a: { type: "string" } } }), undefined);
  assert.equal(compileFileFinder({ properties: { a: { $ref: "#" } }, $defs: { f: FILE } }), undefined);
  assert.equal(compileFileFinder({ properties: { a: { const: { format: "handler-file" } } } }), undefined);
  assert.equal(compileFileFinder(true), undefined);
});

Deno.test("references in a ring end", () => {
  const schema: Schema = {
    $ref: "#/$defs/a",
    $defs: {
      a: { allOf: [{ $ref: "#/$defs/b" }] },
      b: { allOf: [{ $ref: "#/$defs/a" }], properties: { p: FILE } },
    },
  };
  assert.deepEqual(found(schema, { p: "x" }), ["p < x"]);
});
