import assert from "node:assert/strict";
import { readWrap } from "./config.ts";

Deno.test("a command and an address are read, with the defaults of a tool", () => {
  const tools = { t: { tool: "x" } };
  assert.deepEqual(readWrap(JSON.stringify({ server: { command: ["a", "b"] }, tools }), {}), {
    server: { command: ["a", "b"] },
    tools: { t: { tool: "x", arguments: {}, files: "base64", result: undefined } },
  });
  const remote = JSON.stringify({ server: { urlVariable: "X_URL" }, tools });
  assert.deepEqual(readWrap(remote, { X_URL: "http://x/mcp" }).server, { url: "http://x/mcp" });
});

Deno.test("what is wrong is named", () => {
  const cases = [
    [{ server: {}, tools: {} }, /server/],
    [{ server: { urlVariable: "UNSET" }, tools: {} }, /server/],
    [{ server: { command: [] }, tools: {} }, /server/],
    [{ server: { urlVariable: "BAD_URL" }, tools: {} }, /server/],
    [{ server: { command: ["a"] } }, /tools/],
    [{ server: { command: ["a"] }, tools: { t: {} } }, /tools\.t\.tool/],
    [{ server: { command: ["a"] }, tools: { t: { tool: "x", arguments: { a: 1 } } } }, /tools\.t\.arguments/],
    [{ server: { command: ["a"] }, tools: { t: { tool: "x", files: "zip" } } }, /tools\.t\.files/],
  ] as const;
  for (const [value, rule] of cases) {
    assert.throws(() => readWrap(JSON.stringify(value), { BAD_URL: "not one" }), rule);
  }
});
