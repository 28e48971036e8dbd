import assert from "node:assert/strict";
import { mendOf } from "./mend.ts";

const href = (where: string, hint: string | null = null) =>
  mendOf({ where, message: "", hint }, "clerk").href;

Deno.test("what keeps an agent from starting is mended where it is written", () => {
  assert.equal(href("/c/agents/clerk.toml:services.ocr"), "/agents/clerk?tab=providers");
  assert.equal(href("/c/agents/clerk.toml:3:egress[0]"), "/agents/clerk?tab=edit");
  assert.equal(href("/c/projects/desk.toml:path"), "/projects/desk?tab=edit");
  assert.equal(href("/c/bindings/mine.toml:connector", "look at it: handler trust mine"), "/bindings/mine");
  assert.equal(
    href("/c/agents/clerk.toml:services.probe", "look at it and trust it: handler trust probe/v1"),
    "/services/probe/v1",
  );
});
