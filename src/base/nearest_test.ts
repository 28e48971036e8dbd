import assert from "node:assert/strict";
import { nearest } from "./nearest.ts";

const KNOWN = ["project", "harness", "command", "model", "services", "egress", "env", "apiVersion"];

Deno.test("a mistyped word finds the one that is meant", () => {
  const cases = {
    projcet: "project",
    projet: "project",
    Harness: "harness",
    commands: "command",
    modle: "model",
    service: "services",
    egres: "egress",
    api_version: "apiVersion",
  };
  for (const [word, meant] of Object.entries(cases)) assert.equal(nearest(word, KNOWN), meant);
});

Deno.test("a word that is like none finds none", () => {
  for (const word of ["colour", "x", "", "日本語", "p".repeat(5000)]) {
    assert.equal(nearest(word, KNOWN), undefined);
  }
  assert.equal(nearest("a", []), undefined);
});
