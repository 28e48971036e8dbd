import assert from "node:assert/strict";
import { defineHandler } from "./define.ts";
import { validateAgentDefinition } from "./validate.ts";

const PROMPT = { prompt: "answer" };
const HUMAN = { human: true };

function paths(definition: unknown, severity = "error"): readonly string[] {
  return validateAgentDefinition(definition).filter((issue) => issue.severity === severity).map(({ path }) =>
    path
  );
}

Deno.test("any two sides but two humans make an agent", () => {
  const sides = { human: HUMAN, prompt: PROMPT, handler: { handler: "relay" } };
  for (const [a, sideA] of Object.entries(sides)) {
    for (const [b, sideB] of Object.entries(sides)) {
      const expected = a === "human" && b === "human" ? ["sideB"] : [];
      assert.deepEqual(paths({ name: "x", sideA, sideB, maxSessionTurns: 3 }), expected, `${a} and ${b}`);
    }
  }
});

const ILLEGAL = {
  maxSteps: 3,
  stopOnResponse: true,
  stopTool: "x",
  stopToolResponseProperty: "x",
  sessionStop: { name: "x" },
  sessionFail: { name: "x" },
  sessionStatus: { name: "x" },
};

Deno.test("C-10 each option of prompts is an error on a handler side, at its path", () => {
  for (const [field, value] of Object.entries(ILLEGAL)) {
    const side = { handler: "relay", [field]: value };
    assert.deepEqual(paths({ name: "x", sideA: side, sideB: HUMAN }), [`sideA.${field}`]);
    assert.deepEqual(paths({ name: "x", sideA: PROMPT, sideB: side }), [`sideB.${field}`]);
  }
});

Deno.test("all that is wrong is told at once", () => {
  const definition = { type: "dual_ai", sideA: { handler: "", prompt: "p" }, maxSessionTurns: -1 };
  assert.deepEqual(paths(definition), [
    "name",
    "sideB",
    "type",
    "sideA",
    "sideA.handler",
    "maxSessionTurns",
  ]);
  for (const nothing of [undefined, null, "agent", [], defineHandler({ execute: async () => {} })]) {
    assert.deepEqual(paths(nothing), [""]);
  }
});

Deno.test("what nobody reads is a warning", () => {
  const definition = { name: "x", sideA: { ...PROMPT, maxStep: 3 }, sideB: HUMAN, exposeAsTool: true };
  assert.deepEqual(paths(definition), []);
  assert.deepEqual(paths(definition, "warning"), ["sideA.maxStep", "toolDescription"]);
});
