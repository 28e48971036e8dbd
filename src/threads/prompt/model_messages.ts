import { isObject, type Json, type JsonObject } from "../../base/mod.ts";
import type { ModelRequest } from "../ports.ts";
import { type LlmMessage, readToolCalls } from "./llm_message.ts";

type ModelMessage = ModelRequest["messages"][number];

/** Models want a person's word first and last; these stand in where the conversation has none there. */
export const OPENING = "(The conversation begins.)", GOING_ON = "(Go on.)";

/**
 * A history in `llm/v1`'s two roles: calls stand in the model's answers in the form that it is asked to answer in, results
 * and notes of the system come as the user's; neighbours of one role are joined, for many models insist on turns.
 *
 * @param asJson whether the model is asked to answer in JSON, so that its earlier answers are shown in that form
 */
export function modelMessages(history: readonly LlmMessage[], asJson: boolean): readonly ModelMessage[] {
  const joined: { role: "user" | "assistant"; content: string }[] = [];
  const add = (role: "user" | "assistant", content: string) => {
    const last = joined.at(-1);
    if (last?.role === role) last.content += `\n\n${content}`;
    else joined.push({ role, content });
  };
  for (const message of history) {
    add(message.role === "assistant" ? "assistant" : "user", textOf(message, asJson));
  }
  if (joined[0]?.role !== "user") joined.unshift({ role: "user", content: OPENING });
  if (joined.at(-1)!.role !== "user") joined.push({ role: "user", content: GOING_ON });
  return joined;
}

function textOf(message: LlmMessage, asJson: boolean): string {
  const text = withAttachments(message);
  switch (message.role) {
    case "assistant":
      return answerText(message, text, asJson);
    case "tool":
      return `[${message.tool_status === "error" ? "Error" : "Result"} of ${
        message.name ?? "a tool"
      }]\n${text}`;
    case "system":
      return `[System]\n${text}`;
    case "user":
      return text;
  }
}

function answerText(message: LlmMessage, text: string, asJson: boolean): string {
  const calls = readToolCalls(message.tool_calls);
  if (!asJson && calls.length === 0) return text;
  const tool_calls = calls.map((call) => ({ name: call.name, arguments: call.arguments }));
  return JSON.stringify({ text: text === "" ? null : text, tool_calls });
}

/** `llm/v1` takes text alone: files are named, so that tools can be told of them. */
function withAttachments(message: LlmMessage): string {
  const lines = (message.attachments ?? []).filter(isRecord).map((file) => {
    const about = [file["mimeType"], file["description"]].filter((part) =>
      typeof part === "string" && part !== ""
    );
    return `[Attached file ${String(file["path"])}${about.length === 0 ? "" : ` (${about.join(", ")})`}]`;
  });
  return [message.content ?? "", ...lines].filter((line) => line !== "").join("\n");
}

function isRecord(value: Json): value is JsonObject {
  return isObject(value);
}
