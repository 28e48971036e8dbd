import assert from "node:assert/strict";
import type { PromptDefinition, PromptPart } from "../../wire/mod.ts";
import { promptText } from "./prompt_text.ts";
import { systemText } from "./system_text.ts";

function prompt(name: string, parts: PromptPart[]): PromptDefinition {
  return { name, prompt: parts } as unknown as PromptDefinition;
}

Deno.test("a prompt's parts are put together; an include that comes back is left out", () => {
  const inner = prompt("inner", [{ type: "text", content: "inner " }, { type: "include", prompt: "outer" }]);
  const outer = prompt("outer", [
    { type: "text", content: "Hello " },
    { type: "env", property: "WHO" },
    { type: "env", property: "NOBODY" },
    { type: "text", content: ", " },
    { type: "include", prompt: "inner" },
    { type: "include", prompt: "inner" },
    { type: "include", prompt: "unknown" },
  ]);
  const prompts = new Map([["inner", inner], ["outer", outer]]);
  const env = (name: string) => name === "WHO" ? "Ada" : undefined;
  assert.equal(promptText(outer, { prompt: (name) => prompts.get(name), env }), "Hello Ada, inner inner");
});

Deno.test("tools are told of in the system text; without any it is the prompt's own", () => {
  assert.equal(systemText("Be kind.", [], false), "Be kind.");
  const tools = [{ name: "look", description: "Looks.", parameters: { type: "object" } }];
  const text = systemText("Be kind.", tools, true);
  assert.match(
    text,
    /^Be kind\.\n\n# Tools\n\n## look\nLooks\.\nArguments, as JSON Schema: {"type":"object"}/,
  );
  assert.match(text, /Call at least one tool\./);
  assert.doesNotMatch(systemText("", tools, false), /Call at least one/);
});
