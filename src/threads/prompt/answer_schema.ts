import { isObject, type Json, type JsonObject } from "../../base/mod.ts";
import type { ToolText } from "./system_text.ts";

/** The largest schema of a tool's arguments that goes into the answer's own; a larger one slows some models down. */
const LARGEST = 4000;
/** Keywords that hold only at a schema's root, or that decoders of constrained answers are known to refuse. */
const UNFIT = [
  "$ref",
  "$defs",
  "definitions",
  "$id",
  "$anchor",
  "$dynamicRef",
  "pattern",
  "format",
  "propertyNames",
];

/** The JSON Schema of an answer that may call tools: `{ text, tool_calls: [{ name, arguments }] }`. */
export function answerSchema(tools: readonly ToolText[], required: boolean): JsonObject {
  const calls = tools.map(callSchema);
  return {
    type: "object",
    additionalProperties: false,
    required: ["text", "tool_calls"],
    properties: {
      text: { type: ["string", "null"] },
      tool_calls: {
        type: "array",
        ...required ? { minItems: 1 } : {},
        items: calls.length === 1 ? calls[0]! : { anyOf: calls },
      },
    },
  };
}

function callSchema(tool: ToolText): JsonObject {
  return {
    type: "object",
    additionalProperties: false,
    required: ["name", "arguments"],
    properties: { name: { type: "string", enum: [tool.name] }, arguments: argumentsSchema(tool.parameters) },
  };
}

/** The arguments as exactly as every model takes them; what does not fit here is checked when the call comes. */
function argumentsSchema(parameters: Json): Json {
  if (!isObject(parameters)) return { type: "object" };
  const { $schema: _, ...schema } = parameters as JsonObject;
  if (JSON.stringify(schema).length > LARGEST || hasUnfit(schema)) return { type: "object" };
  return schema;
}

function hasUnfit(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.some(hasUnfit);
  if (!isObject(schema)) return false;
  return Object.entries(schema as JsonObject).some(([key, value]) => UNFIT.includes(key) || hasUnfit(value));
}
