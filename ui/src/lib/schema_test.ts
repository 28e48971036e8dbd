import assert from "node:assert/strict";
import {
  couldBe,
  fileFieldOf,
  filled,
  initial,
  kindOf,
  propertiesOf,
  resolved,
  type Schema,
  wordsOf,
} from "./schema.ts";

const message: Schema = {
  type: "object",
  required: ["role", "content"],
  properties: {
    role: { type: "string", enum: ["user", "assistant"] },
    content: { type: "string" },
  },
};
const root: Schema = {
  type: "object",
  required: ["messages", "path"],
  properties: {
    messages: {
      type: "array",
      minItems: 1,
      description: "the conversation",
      items: { $ref: "#/$defs/message" },
    },
    path: { type: "string", format: "handler-file" },
    loud: { type: "boolean" },
  },
  $defs: { message },
};

Deno.test("a reference leads to what it names, and keeps its own words", () => {
  assert.deepEqual(resolved({ $ref: "#/$defs/message", description: "one" }, root), {
    ...message,
    description: "one",
  });
  assert.deepEqual(resolved({ $ref: "#/$defs/gone" }, root), {});
  assert.equal(resolved({ $ref: "#" }, root).type, "object");
});

Deno.test("what is asked for follows from the schema", () => {
  const kinds: readonly (readonly [Schema, string])[] = [
    [{ type: "string" }, "text"],
    [{ type: "string", format: "handler-file" }, "file"],
    [{ type: "string", format: "handler-output-file" }, "made-file"],
    [{ enum: ["a", 1] }, "choice"],
    [{ const: "a" }, "choice"],
    [{ type: "boolean" }, "flag"],
    [{ type: ["string", "null"] }, "union"],
    [{ oneOf: [{ type: "string" }] }, "union"],
    [{ type: "array" }, "list"],
    [{ properties: {} }, "record"],
    [{ type: "object", additionalProperties: { type: "string" } }, "map"],
    [{}, "anything"],
  ];
  for (const [schema, kind] of kinds) assert.equal(kindOf(schema), kind, JSON.stringify(schema));
});

Deno.test("a form begins with what is required, and what is left empty is not sent", () => {
  const begun = initial(root, root);
  assert.deepEqual(begun, { messages: [{ role: "user" }] });
  const written = {
    messages: [{ role: "user", content: "hi" }],
    path: "a.pdf",
    system: "",
    seed: undefined,
    deep: [undefined, 1],
  };
  assert.deepEqual(filled(written), {
    messages: [{ role: "user", content: "hi" }],
    path: "a.pdf",
    deep: [1],
  });
});

Deno.test("a schema that holds itself has an end", () => {
  const tree: Schema = { type: "object", required: ["child"], properties: { child: { $ref: "#" } } };
  assert.ok(initial(tree, tree));
});

Deno.test("a value of another shape is not one of the schema's", () => {
  assert.equal(couldBe("x", { type: ["string", "null"] }, root), true);
  assert.equal(couldBe(1, { type: ["string", "null"] }, root), false);
  assert.equal(couldBe([], { $ref: "#/$defs/message" }, root), false);
});

Deno.test("names become words, and the file's field is found", () => {
  assert.deepEqual(["maxTokens", "api_key", "path"].map(wordsOf), ["Max tokens", "API key", "Path"]);
  assert.equal(fileFieldOf(root), "path");
  assert.deepEqual(propertiesOf(root).map(({ required }) => required), [true, true, false]);
});
