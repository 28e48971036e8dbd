import type { Json } from "../../base/mod.ts";
import type { Side } from "../../store/mod.ts";
import type { WireMessage } from "../../wire/mod.ts";
import { ownRole } from "../definitions.ts";
import { type LlmMessage, readToolCalls, type ToolCall } from "./llm_message.ts";

/** What a model on a side gets to see of a conversation. */
export interface HistoryView {
  /** The side that acts. Inside a sub-prompt its own rows are A's. */
  readonly side: Side;
  /** Whether tool calls and their results are shown at all (`includePastTools` of a sub-prompt). */
  readonly tools: boolean;
}

/** Stands where a call has no result: its turn was cut off. */
export const NO_RESULT = "no result: the turn ended before the tool did";

/**
 * A thread's rows as a model on a side sees them (threads.md §4.2): its own rows are `assistant`, the other side's
 * `user`; silent rows are there, rows that still wait are not; a tool's row stands directly behind the row that called it,
 * whatever came in between; the other side's tools are hidden.
 *
 * @param rows in order of the thread
 */
export function llmHistory(rows: readonly WireMessage[], view: HistoryView): readonly LlmMessage[] {
  const own = ownRole(view.side);
  const results = new Map(rows.filter((row) => row.role === "tool").map((row) => [row.tool_call_id, row]));
  return rows.flatMap((row): readonly LlmMessage[] => {
    if (row.status === "pending" || row.role === "tool") return [];
    if (row.role === "system") return [{ role: "system", content: row.content }];
    if (row.role !== own) return spoken("user", row, []);
    const calls = view.tools
      ? readToolCalls(row.tool_calls).filter((call) => !isDropped(results.get(call.id)))
      : [];
    return [...spoken("assistant", row, calls), ...calls.map((call) => resultOf(call, results.get(call.id)))];
  });
}

function spoken(
  role: "user" | "assistant",
  row: WireMessage,
  calls: readonly ToolCall[],
): readonly LlmMessage[] {
  const attachments = row.attachments ?? [];
  if (row.content === null && calls.length === 0 && attachments.length === 0) return [];
  return [{
    role,
    content: row.content,
    ...row.name === undefined ? {} : { name: row.name },
    ...calls.length === 0 ? {} : { tool_calls: JSON.stringify(calls) },
    ...attachments.length === 0 ? {} : { attachments },
  }];
}

function resultOf(call: ToolCall, row: WireMessage | undefined): LlmMessage {
  const base = { role: "tool", tool_call_id: call.id, name: call.name } as const;
  if (!row) return { ...base, content: NO_RESULT, tool_status: "error" };
  const attachments: readonly Json[] = row.attachments ?? [];
  return {
    ...base,
    content: row.content,
    tool_status: row.tool_status ?? "success",
    ...attachments.length === 0 ? {} : { attachments },
  };
}

/** Whether a hook has taken the call out of the conversation. */
function isDropped(row: WireMessage | undefined): boolean {
  return row?.metadata?.["dropped"] === true;
}
