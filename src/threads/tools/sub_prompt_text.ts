import type { PromptTool, WireMessage } from "../../wire/mod.ts";
import { readToolCalls } from "../prompt/llm_message.ts";

type Included = Pick<PromptTool, "includeTextResponse" | "includeToolCalls" | "includeErrors">;

/** What of a sub-prompt its caller is given, where it says nothing. */
const ALL: Included = { includeTextResponse: true, includeToolCalls: true, includeErrors: true };

/** What a sub-prompt said and did, as its caller's model reads it. */
export function subPromptText(rows: readonly WireMessage[], included: Included = ALL): string {
  const said = rows.filter((row) => row.role === "assistant" && row.content !== null).map((row) =>
    row.content!
  );
  const did = rows.flatMap((row) => readToolCalls(row.tool_calls)).flatMap((call) => {
    const result = rows.find((row) => row.role === "tool" && row.tool_call_id === call.id);
    if (!result || result.metadata?.["dropped"] === true) return [];
    const failed = result.tool_status === "error";
    if (failed ? !included.includeErrors : !included.includeToolCalls) return [];
    const answer = `${failed ? "failed: " : ""}${result.content ?? ""}`;
    return [`- ${call.name}(${JSON.stringify(call.arguments)}): ${answer}`];
  });
  const text = included.includeTextResponse ? said.join("\n\n") : "";
  if (did.length === 0) return text;
  return [text, `Tools called:\n${did.join("\n")}`].filter((part) => part !== "").join("\n\n");
}
