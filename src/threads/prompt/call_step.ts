import { isObject, type Json } from "../../base/mod.ts";
import type { SessionBinding, WireMessage } from "../../wire/mod.ts";
import { paths } from "../subagents/plan.ts";
import type { OfferedTool } from "../tools/offered.ts";
import { failure, isToolResult, resultText, type ToolResult } from "../tools/tool_result.ts";
import type { ToolCall } from "./llm_message.ts";
import type { LoopPorts } from "./ports.ts";
import type { LoopRules } from "./rules.ts";

/** A call that is over; `dropped` where a hook has taken it out. */
export interface DoneCall {
  readonly call: ToolCall;
  readonly result: ToolResult;
  readonly handOff: string | null;
  readonly dropped: boolean;
}

/** Runs one call with its hooks around it, and stores what came of it. */
export async function runCall(
  ports: LoopPorts,
  rules: LoopRules,
  tool: OfferedTool | undefined,
  call: ToolCall,
  caller: WireMessage,
): Promise<DoneCall> {
  ports.signal.throwIfAborted();
  const shown = { id: call.id, name: call.name, arguments: JSON.stringify(call.arguments) };
  const progress = progressOf(tool, call);
  ports.delta({ type: "tool_call", id: call.id, name: call.name, ...progress === null ? {} : { progress } });
  await ports.hooks.tell("tool_call_started", shown, progress);
  const { result: first, handOff } = await ports.call(tool, call, caller);
  const bound = first.status === "success" ? withBinding(ports, rules, call, first) : first;
  const kind = bound.status === "success" ? "after_tool_call_success" : "after_tool_call_failure";
  const fits = (given: Json) => given === null || isToolResult(given);
  const after = await ports.hooks.through(kind, bound as unknown as Json, fits, [shown]) as ToolResult | null;
  const result = after === null
    ? bound
    : await ports.hooks.through("before_store_tool_result", after as unknown as Json, isToolResult, [
      shown,
    ]) as ToolResult;
  const done = { call, result, handOff: handOff ?? null, dropped: after === null };
  await store(ports, done);
  await ports.hooks.tell("tool_call_done", shown, result as unknown as Json);
  return done;
}

async function store(ports: LoopPorts, { call, result, dropped }: DoneCall): Promise<void> {
  const metadata: Record<string, Json> = {};
  if (dropped) metadata["dropped"] = true;
  if (result.error_code !== undefined) metadata["error_code"] = result.error_code;
  if (result.subagent_id !== undefined) metadata["subagent_id"] = result.subagent_id;
  await ports.append({
    role: "tool",
    content: dropped ? "" : resultText(result),
    toolCallId: call.id,
    toolStatus: result.status,
    name: call.name,
    ...dropped ? { silent: true } : {},
    ...Object.keys(metadata).length === 0 ? {} : { metadata },
    ...result.attachments && !dropped ? { attachments: result.attachments } : {},
  });
  ports.delta({ type: "tool_result", id: call.id, name: call.name, status: result.status });
}

/** What the model says that it is doing, in the argument that the tool has for that. */
function progressOf(tool: OfferedTool | undefined, call: ToolCall): string | null {
  const property = tool?.target.kind === "project" ? tool.target.tool.progressArgument : undefined;
  return property === undefined ? null : argument(call, property) ?? null;
}

/** A call that ends the session, or says how it stands, has its text and files in arguments where the binding says so. */
function withBinding(ports: LoopPorts, rules: LoopRules, call: ToolCall, result: ToolResult): ToolResult {
  const binding = bindingOf(rules, call.name);
  if (!binding) return result;
  const text = binding.messageProperty === undefined ? undefined : argument(call, binding.messageProperty);
  const named = binding.attachmentsProperty === undefined
    ? undefined
    : given(call, binding.attachmentsProperty);
  const wanted = paths(named) ?? [];
  const files = wanted.length === 0 ? undefined : ports.files(wanted);
  if (files && "missing" in files) {
    return failure(`the thread has no file ${files.missing}`, "unknown_attachment", { path: files.missing });
  }
  return {
    ...result,
    ...text === undefined ? {} : { result: text },
    ...files === undefined ? {} : { attachments: [...result.attachments ?? [], ...files.attachments] },
  };
}

function bindingOf(
  { sessionFail, sessionStop, sessionStatus }: LoopRules,
  name: string,
): SessionBinding | undefined {
  return [sessionFail, sessionStop, sessionStatus].find((binding) => binding?.name === name);
}

/** An argument as text. */
export function argument(call: ToolCall, property: string): string | undefined {
  const value = given(call, property);
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function given(call: ToolCall, property: string): Json | undefined {
  return isObject(call.arguments)
    ? (call.arguments as { readonly [key: string]: Json })[property]
    : undefined;
}
