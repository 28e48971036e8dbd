import { isObject, type Json } from "../../base/mod.ts";

/** A message as a model is to see it, and as `prefilter_llm_history` hooks get it. */
export interface LlmMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | null;
  readonly name?: string;
  /** JSON text: `[{ id, name, arguments }]`. */
  readonly tool_calls?: string;
  readonly tool_call_id?: string;
  /** For a tool's row: whether it is an error. */
  readonly tool_status?: "success" | "error";
  readonly attachments?: readonly Json[];
}

/** A tool call as it stands in a message row. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Json;
}

/** The calls of a row, from their JSON text; what is not a call is left out. */
export function readToolCalls(text: string | null | undefined): readonly ToolCall[] {
  if (!text) return [];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.flatMap(asToolCall) : [];
  } catch {
    return [];
  }
}

function asToolCall(value: unknown): ToolCall[] {
  if (!isObject(value) || typeof value["id"] !== "string" || typeof value["name"] !== "string") return [];
  return [{ id: value["id"], name: value["name"], arguments: (value["arguments"] ?? {}) as Json }];
}
