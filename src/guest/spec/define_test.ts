import assert from "node:assert/strict";
import { z } from "zod";
import { definitionKind } from "./brand.ts";
import {
  defineAgent,
  defineEffect,
  defineHandler,
  defineHook,
  defineModel,
  definePrompt,
  defineProvider,
  defineTool,
} from "./define.ts";
import { HANDLER_SYMBOL, isHandler } from "./handler.ts";

const execute = async () => {};
const handler = defineHandler({ execute });

Deno.test("a definition has the fields that were given, and says what it is to those who ask", () => {
  const made = [
    [defineAgent({ name: "a", sideA: { handler: "h" }, sideB: { human: true } }), "agent"],
    [definePrompt({ name: "p", toolDescription: "P", prompt: "P", model: "m" }), "prompt"],
    [defineModel({ name: "m", model: "m-1" }), "model"],
    [defineProvider({ name: "v" }), "provider"],
    [defineTool({ description: "T", execute: () => Promise.resolve({ status: "success" }) }), "tool"],
    [defineHook({ hook: "after_thread_created", id: "k", execute }), "hook"],
    [defineEffect("E", execute), "effect"],
    [handler, "handler"],
  ] as const;
  for (const [definition, kind] of made) assert.equal(definitionKind(definition), kind);
  assert.deepEqual(handler, { execute });
  assert.deepEqual(Object.keys(handler), ["execute"]);
  assert.equal(definitionKind({ execute }), undefined);
});

Deno.test("an effect is its description, its schema and its function", () => {
  const schema = z.object({ n: z.number() });
  assert.deepEqual([...defineEffect("E", execute)], ["E", null, execute]);
  assert.deepEqual([...defineEffect("E", schema, execute)], ["E", schema, execute]);
});

Deno.test("a handler is known by its mark, of whatever copy of the module", () => {
  assert.ok(isHandler(handler));
  assert.ok(isHandler({ execute, [Symbol.for("@standardagents/spec/handler")]: true }));
  assert.equal(HANDLER_SYMBOL, Symbol.for("@standardagents/spec/handler"));
  for (const other of [{ execute }, "relay", null, undefined, execute]) assert.ok(!isHandler(other));
});
