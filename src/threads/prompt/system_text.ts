import type { Json } from "../../base/mod.ts";

/** A tool as a model is told of it. */
export interface ToolText {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Json;
}

/**
 * The system text of a request: the prompt's own, and for a prompt with tools what they are and how to call them.
 * `llm/v1` knows no tool calls, so the model is asked for them in words, and for the form with the request's schema.
 */
export function systemText(own: string, tools: readonly ToolText[], required: boolean): string {
  if (tools.length === 0) return own;
  return [own, "# Tools", tools.map(toolText).join("\n\n"), howToAnswer(required)]
    .filter((part) => part !== "").join("\n\n");
}

function toolText(tool: ToolText): string {
  return `## ${tool.name}\n${tool.description}\nArguments, as JSON Schema: ${
    JSON.stringify(tool.parameters)
  }`;
}

function howToAnswer(required: boolean): string {
  return `# How to answer
Answer with one JSON object and nothing around it:
{"text": "what you say, or null", "tool_calls": [{"name": "a tool's name", "arguments": {}}]}
${
    required
      ? "Call at least one tool."
      : "Call a tool only where you need it; with an empty list of tool_calls your text is the answer."
  } Results come in the next message; do not make them up.`;
}
