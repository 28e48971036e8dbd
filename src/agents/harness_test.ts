import assert from "node:assert/strict";
import { HandlerError } from "../base/mod.ts";
import type { AgentConfig } from "../config/mod.ts";
import { harnessOf } from "./harness.ts";

const agent: AgentConfig = {
  name: "clerk",
  file: "/c/agents/clerk.toml",
  project: "books",
  harness: "command",
  command: ["sh", "work.sh"],
  model: undefined,
  addons: [],
  services: {},
  egress: [],
  env: {},
  image: undefined,
};
const context = { prompt: undefined, args: [], services: [], home: "/h", work: "/w" };

Deno.test("a command runs as it is written; a run's words and its prompt come behind", () => {
  const harness = harnessOf(agent);
  assert.deepEqual(harness.render(agent, context), { files: {}, env: {}, argv: ["sh", "work.sh"] });
  assert.deepEqual(harness.render(agent, { ...context, args: ["-v"], prompt: "read -it" }), {
    files: {},
    env: { HANDLER_PROMPT: "read -it" },
    argv: ["sh", "work.sh", "-v", "read -it"],
  });
});

Deno.test("a harness that cannot be run yet is named with its place", () => {
  assert.throws(
    () => harnessOf({ ...agent, harness: "codex" }),
    (error) =>
      error instanceof HandlerError && /harness codex/.test(error.message) && error.where?.key === "harness",
  );
});
