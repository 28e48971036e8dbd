import { isObject, type Json, type JsonObject } from "../../base/mod.ts";

/** What a tool came to, as definitions write and read it (threads.md §2.5). */
export type ToolResult = {
  readonly status: "success" | "error";
  readonly result?: string;
  readonly error?: string;
  readonly stack?: string;
  readonly error_code?: string;
  readonly error_data?: Json;
  readonly attachments?: readonly Json[];
  readonly subagent_id?: string;
};

/** A good end. */
export function success(result: string, more: Omit<ToolResult, "status" | "result"> = {}): ToolResult {
  return { status: "success", result, ...more };
}

/** A bad end, in words that help a model to do better. */
export function failure(error: string, code: string, data?: Json): ToolResult {
  return { status: "error", error, error_code: code, ...data === undefined ? {} : { error_data: data } };
}

/** Whether a value can stand for a result. */
export function isToolResult(value: unknown): value is JsonObject & ToolResult {
  return isObject(value) && (value["status"] === "success" || value["status"] === "error");
}

/** What a tool's function returned as a result: a text or other JSON is taken for a good end. */
export function asToolResult(value: Json | undefined): ToolResult {
  if (!isToolResult(value)) {
    return success(
      value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value),
    );
  }
  const { result, error } = value as { readonly [key: string]: Json };
  return {
    ...value,
    ...result === undefined ? {} : { result: asText(result) },
    ...error === undefined ? {} : { error: asText(error) },
  };
}

function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A result as a model reads it. */
export function resultText(result: ToolResult): string {
  if (result.status === "success") return result.result ?? "";
  const code = result.error_code === undefined ? "" : ` (${result.error_code})`;
  const data = result.error_data === undefined ? "" : `\n${JSON.stringify(result.error_data)}`;
  return `${result.error ?? result.result ?? "the tool failed and did not say why"}${code}${data}`;
}
