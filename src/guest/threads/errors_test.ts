import assert from "node:assert/strict";
import { toWireError } from "./errors.ts";

Deno.test("an error crosses with its name, message, code and a stack that is the project's", () => {
  const error = Object.assign(new TypeError("no"), { code: "x", block: true });
  error.stack = "TypeError: no\n    at run (file:///opt/handler/project/agents/tools/a.ts:1:2)\n" +
    "    at f (file:///opt/handler/guest/thread_host.js:9:9)";
  assert.deepEqual(toWireError(error, "/opt/handler/project"), {
    name: "TypeError",
    message: "no",
    code: "x",
    block: true,
    stack: "TypeError: no\n    at run (agents/tools/a.ts:1:2)",
  });
});

Deno.test("whatever is thrown has a message", () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  const message = (thrown: unknown) => toWireError(thrown, "/p").message;
  assert.deepEqual(["text", 1, null, undefined, { a: 1 }, circle].map(message), [
    "text",
    "1",
    "null",
    "undefined",
    '{"a":1}',
    "[object Object]",
  ]);
});
