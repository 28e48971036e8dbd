import assert from "node:assert/strict";
import type { AgentConfig, ProjectConfig } from "../config/mod.ts";
import { missingRequirements, selectionOf } from "./selection.ts";

const project = {
  name: "books",
  requires: ["ocr/v1", "llm/v1"],
  services: { ocr: ["scans"], search: ["web"] },
} as unknown as ProjectConfig;
const agent = {
  name: "clerk",
  file: "/c/agents/clerk.toml",
  services: { ocr: ["other", "scans"] },
} as unknown as AgentConfig;

Deno.test("an agent's choice stands in place of its project's", () => {
  assert.deepEqual(selectionOf(project, agent), { ocr: ["other", "scans"], search: ["web"] });
});

Deno.test("an interface that is required and not chosen is named, with the place and the way to choose", () => {
  const [problem, ...more] = missingRequirements(project, agent);
  assert.equal(more.length, 0);
  assert.match(problem!.message, /requires llm\/v1.*agent clerk has a binding for llm/);
  assert.deepEqual(problem!.where, { file: "/c/agents/clerk.toml", key: "services.llm" });
  assert.match(problem!.hint ?? "", /services = \{ llm = /);
});
