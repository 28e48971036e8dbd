import assert from "node:assert/strict";
import { lintSchema } from "./lint_schema.ts";

type Keywords = Record<string, unknown>;
const CONTEXT = { tool: "ocr_extract", side: "input" } as const;
const TEXT = { type: "string" };

function object(properties: Keywords, more: Keywords = {}): Keywords {
  return { type: "object", additionalProperties: false, properties, ...more };
}

function rules(schema: unknown): readonly string[] {
  return lintSchema(schema, CONTEXT).map(({ pointer, rule }) => `${rule} #${pointer}`);
}

const GOOD: readonly (readonly [string, unknown])[] = [
  ["an empty object", object({})],
  ["2020-12 by name", object({}, { $schema: "https://json-schema.org/draft/2020-12/schema" })],
  ["a union at the root, of closed objects", {
    type: "object",
    oneOf: [object({ a: TEXT }), object({ b: TEXT })],
  }],
  [
    "one of two properties",
    object({ a: TEXT, b: TEXT }, { anyOf: [{ required: ["a"] }, { required: ["b"] }] }),
  ],
  ["a tree", object({ kids: { type: "array", items: { $ref: "#" } } })],
  [
    "a pointer into a union",
    object({ a: { anyOf: [TEXT, object({ x: TEXT })] }, b: { $ref: "#/properties/a/anyOf/1" } }),
  ],
  [
    "two schemas that refer to each other",
    object({ a: { $ref: "#/$defs/a" } }, {
      $defs: { a: object({ b: { $ref: "#/$defs/b" } }), b: object({ a: { $ref: "#/$defs/a" } }) },
    }),
  ],
  [
    "itself or null, required",
    object({ next: { anyOf: [{ $ref: "#" }, { type: "null" }] } }, { required: ["next"] }),
  ],
  [
    "one reference in allOf, with a note",
    object({ a: { allOf: [{ $ref: "#/$defs/a" }], description: "x" } }, {
      $defs: { a: object({ x: TEXT }) },
    }),
  ],
  ["a tuple", object({ a: { type: "array", prefixItems: [TEXT, { type: "number" }], items: false } })],
  [
    "a value that may be null",
    object({ a: { type: ["string", "null"] }, b: { enum: ["x", null] }, c: { const: 1 } }),
  ],
  [
    "an opening with its reason",
    object({
      a: { $comment: "free-form: the caller's own schema says what" },
      b: { type: "object", $comment: "free-form: JSON" },
    }),
  ],
  [
    "properties with the names of keywords",
    object({ items: TEXT, properties: object({ type: TEXT }), required: TEXT, format: TEXT }),
  ],
  [
    "a number with a range",
    object({ a: { type: "integer", minimum: 0, maximum: 9, default: 1, examples: [2] } }),
  ],
];

for (const [what, schema] of GOOD) {
  Deno.test(`clean: ${what}`, () => assert.deepEqual(lintSchema(schema, CONTEXT), []));
}

const inItself: Keywords = object({});
(inItself["properties"] as Keywords)["me"] = inItself;
let deep: Keywords = TEXT;
for (let at = 0; at < 20_000; at++) deep = { type: "array", items: deep };
let eleven: Keywords = TEXT;
for (let at = 0; at < 11; at++) eleven = { type: "array", items: eleven };

const BAD: readonly (readonly [string, unknown, readonly string[]])[] = [
  ["no object at all", [], ["root #"]],
  ["a root that is no object", { type: "string" }, ["root #"]],
  ["a union at the root without a type", { oneOf: [object({ a: TEXT })] }, ["root #"]],
  ["an open object", { type: "object", properties: { a: TEXT } }, ["closed #"]],
  ["an object that says true", object({ a: { type: "object", additionalProperties: true } }), [
    "closed #/properties/a",
  ]],
  ["a map", object({ a: { type: "object", additionalProperties: TEXT } }), ["closed #/properties/a"]],
  ["open under $defs", object({}, { $defs: { x: { type: "object" } } }), ["closed #/$defs/x"]],
  ["open under items", object({ a: { type: "array", items: { type: "object" } } }), [
    "closed #/properties/a/items",
  ]],
  ["open under anyOf", object({ a: { anyOf: [TEXT, { type: "object" }] } }), [
    "closed #/properties/a/anyOf/1",
  ]],
  ["open in a list of types", object({ a: { type: ["object", "null"] } }), ["closed #/properties/a"]],
  ["open without a type", object({ a: { properties: { x: TEXT } } }), ["closed #/properties/a"]],
  ["a union with an open branch", { type: "object", oneOf: [object({ a: TEXT }), { type: "object" }] }, [
    "closed #",
    "closed #/oneOf/1",
  ]],
  ["any value", object({ a: {}, b: { description: "x" } }), ["any #/properties/a", "any #/properties/b"]],
  ["true for a value", object({ a: true, b: { type: "array", items: true } }), [
    "any #/properties/a",
    "any #/properties/b/items",
  ]],
  ["an opening without a reason", object({ a: { $comment: "free-form: " } }), ["any #/properties/a"]],
  ["closed objects in allOf", object({ a: { allOf: [object({ x: TEXT }), object({ y: TEXT })] } }), [
    "all-of #/properties/a",
  ]],
  [
    "closed objects behind references in allOf",
    object({ a: { allOf: [{ $ref: "#/$defs/x" }, { $ref: "#/$defs/y" }] } }, {
      $defs: { x: object({ x: TEXT }), y: object({ y: TEXT }) },
    }),
    ["all-of #/properties/a"],
  ],
  [
    "a closed reference beside properties",
    object({ a: { ...object({ x: TEXT }), $ref: "#/$defs/y" } }, { $defs: { y: object({ y: TEXT }) } }),
    ["all-of #/properties/a"],
  ],
  ["a closed union beside properties", { ...object({ k: TEXT }), oneOf: [object({ a: TEXT })] }, [
    "all-of #",
  ]],
  ["a remote reference", object({ a: { $ref: "https://a.example/x.json" }, b: { $ref: "x.json#/a" } }), [
    "ref #/properties/a",
    "ref #/properties/b",
  ]],
  ["a dangling reference", object({ a: { $ref: "#/$defs/x" }, b: { $ref: "#x" } }), [
    "ref #/properties/a",
    "ref #/properties/b",
  ]],
  ["a reference to no schema", object({ a: { enum: ["x"] }, b: { $ref: "#/properties/a/enum" } }), [
    "ref #/properties/b",
  ]],
  ["a reference that is null", object({ a: { $ref: null } }), ["ref #/properties/a"]],
  ["$id elsewhere", object({}, { $id: "https://a.example/x" }), ["keyword #"]],
  ["$dynamicRef", object({ a: { ...TEXT, $dynamicRef: "#a" } }), ["keyword #/properties/a"]],
  ["itself, required", object({ a: { $ref: "#" } }, { required: ["a"] }), ["recursion #"]],
  [
    "itself in a list that must not be empty",
    object({ a: { type: "array", minItems: 1, items: { $ref: "#" } } }, { required: ["a"] }),
    ["recursion #"],
  ],
  [
    "itself without anything between",
    object({ a: { $ref: "#/$defs/a" } }, { $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }, TEXT] } } }),
    ["recursion #/$defs/a"],
  ],
  ["an object inside itself", inItself, ["size #"]],
  ["20,000 levels", deep, ["size #"]],
  ["11 levels", object({ a: eleven }), ["depth #/properties/a" + "/items".repeat(10)]],
  [
    "6,000 properties",
    object(Object.fromEntries(Array.from({ length: 6000 }, (_, at) => [`p${at}`, TEXT]))),
    ["size #"],
  ],
  ["2,000 words in an enum", object({ a: { enum: Array.from({ length: 2000 }, (_, at) => `w${at}`) } }), [
    "size #",
  ]],
  ["required: null", object({ a: TEXT }, { required: null }), ["required #"]],
  ["required twice", object({ a: TEXT }, { required: ["a", "a"] }), ["required #"]],
  ["required and not declared", object({ a: TEXT }, { required: ["b"] }), ["required #"]],
  ["draft-07", object({}, { $schema: "http://json-schema.org/draft-07/schema#" }), ["dialect #"]],
  ["a dialect inside", object({ a: { ...TEXT, $schema: "https://json-schema.org/draft/2020-12/schema" } }), [
    "dialect #/properties/a",
  ]],
  ["items: []", object({ a: { type: "array", items: [] } }), ["items #/properties/a"]],
  ["a tuple of older drafts", object({ a: { type: "array", items: [TEXT] } }), ["items #/properties/a"]],
  ["an array without items", object({ a: { type: "array" } }), ["items #/properties/a"]],
  ["an unknown type", object({ a: { type: "text" } }), ["type #/properties/a"]],
  ["an unknown format", object({ a: { type: "string", format: "phone" } }), ["format #/properties/a"]],
  ["a pattern that is slow", object({ a: { type: "string", pattern: "^(a+)+$" } }), [
    "pattern #/properties/a",
  ]],
  ["a pattern that is none", object({ a: { type: "string", pattern: "(" } }), ["pattern #/properties/a"]],
  ["definitions", object({}, { definitions: {} }), ["keyword #"]],
  ["nullable", object({ a: { type: "string", nullable: true } }), ["keyword #/properties/a"]],
  ["not", object({ a: { type: "string", not: { const: "x" } } }), ["keyword #/properties/a"]],
  ["names with blanks", object({ "a b": TEXT, "é": TEXT }), ["name #", "name #"]],
  ["a value that the meta-schema refuses", object({ a: { type: "string", minLength: -1 } }), ["validator #"]],
  ["properties that are no table", { type: "object", additionalProperties: false, properties: [] }, [
    "validator #",
  ]],
];

for (const [what, schema, expected] of BAD) {
  Deno.test(`found: ${what}`, () => assert.deepEqual(rules(schema), expected));
}

Deno.test("a problem says which tool and which side, and how to mend it", () => {
  const [problem] = lintSchema(object({ a: { type: "array" } }), { tool: "ocr_extract", side: "output" });
  assert.equal(problem?.tool, "ocr_extract");
  assert.equal(problem?.side, "output");
  assert.match(problem?.message ?? "", /must have "items"/);
  assert.match(problem?.hint ?? "", /providers/);
});

Deno.test("large and twisted schemas are answered in bounded time", () => {
  const start = performance.now();
  const many = Array.from({ length: 3000 }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }]);
  lintSchema(
    object({ a: { $ref: "#/$defs/d0" } }, { $defs: Object.fromEntries([...many, ["d3000", TEXT]]) }),
    CONTEXT,
  );
  lintSchema(
    object({ a: { $ref: "#/$defs/d0" } }, {
      $defs: Object.fromEntries([...many, ["d3000", { $ref: "#/$defs/d0" }]]),
    }),
    CONTEXT,
  );
  lintSchema(
    object({}, {
      $defs: Object.fromEntries(
        Array.from(
          { length: 3000 },
          (_, at) => [`d${at}`, { anyOf: [{ $ref: "#/$defs/d1" }, { $ref: "#/$defs/d2" }] }],
        ),
      ),
    }),
    CONTEXT,
  );
  assert.ok(performance.now() - start < 10_000, `${performance.now() - start} ms`);
});
