import { isObject, type Json, type JsonObject } from "../../base/mod.ts";
import type { PromptDefinition, PromptTool, WireMessage } from "../../wire/mod.ts";
import { append, wireMessage } from "../engine/append.ts";
import { llmHistory } from "../prompt/history.ts";
import type { LlmMessage } from "../prompt/llm_message.ts";
import { commonPorts } from "../prompt/context_ports.ts";
import { runLoop } from "../prompt/loop.ts";
import type { LoopEnd, LoopPorts } from "../prompt/ports.ts";
import { ONE_SHOT, type StepBudget } from "../prompt/rules.ts";
import { attachmentsOf } from "../state/attachments.ts";
import type { RunContext } from "../state/context.ts";
import { threadOf } from "../state/messages.ts";
import { paths } from "../subagents/plan.ts";
import { parentView } from "../subagents/view.ts";
import { offeredTools } from "./offered.ts";
import { subPromptText } from "./sub_prompt_text.ts";
import type { ThreadTools } from "./thread_tools.ts";
import { failure, success, type ToolResult } from "./tool_result.ts";

/** Prompts that call each other end here. */
const DEEPEST = 8;
/** Rows of the chat that a sub-prompt is shown. */
const CHAT_ROWS = 200;

/** A sub-prompt that is to be run. */
export interface SubPromptCall {
  readonly prompt: PromptDefinition;
  readonly entry: PromptTool | undefined;
  readonly args: JsonObject;
  /** The row that called it; undefined for code. */
  readonly caller: WireMessage | undefined;
  readonly budget: StepBudget;
  /** Run what it calls. */
  readonly tools: Pick<ThreadTools, "callFromLoop" | "takeQueued">;
}

/**
 * Runs a prompt as a tool: once, on messages of its own one level below, and gives what it said and did. Rejects only
 * where the turn cannot go on.
 */
export async function runSubPrompt(outer: RunContext, sub: SubPromptCall): Promise<ToolResult> {
  if (outer.depth >= DEEPEST) {
    return failure(
      `prompts may call each other ${DEEPEST} deep, and ${sub.prompt.name} would be deeper`,
      "too_deep",
    );
  }
  const context: RunContext = {
    ...outer,
    prompt: sub.prompt.name,
    depth: outer.depth + 1,
    uses: undefined,
    queued: [],
    queueForLoop: false,
  };
  const rows: WireMessage[] = [];
  const ports = subPorts(context, sub, rows);
  rows.push(await firstRow(context, sub));
  const end = await runLoop(ports, ONE_SHOT, sub.budget);
  return resultOf(sub, end, rows);
}

function resultOf({ entry, prompt }: SubPromptCall, end: LoopEnd, rows: readonly WireMessage[]): ToolResult {
  const text = subPromptText(rows, entry);
  if (!end.error) return success(text);
  const why = entry?.includeErrors === false
    ? `${prompt.name} failed`
    : `${prompt.name} failed: ${end.error.message}`;
  return failure(text === "" ? why : `${why}\n${text}`, end.error.type);
}

function subPorts(context: RunContext, sub: SubPromptCall, rows: WireMessage[]): LoopPorts {
  const { prompt } = sub;
  const common = commonPorts(context, prompt, sub.caller?.id ?? null);
  return {
    ...common,
    view: { side: "a", tools: true },
    role: "assistant",
    side: context.turn?.turn.side ?? "a",
    begin: () => Promise.resolve(),
    rows: () => rows,
    before: () => chatBefore(context, prompt, sub.caller),
    tools: () =>
      offeredTools({
        parent: parentView(context),
        prompt,
        isSide: false,
        serviceTools: (id) => context.engine.ports.services.tools(id),
      }),
    append: async (row) => {
      const stored = await common.append(row);
      rows.push(stored);
      return stored;
    },
    queued: () => sub.tools.takeQueued(context),
    call: (tool, call, caller) => sub.tools.callFromLoop(context, { tool, call, caller, budget: sub.budget }),
  };
}

/** The message that a sub-prompt begins with: an argument that is named for it, else all arguments. */
async function firstRow(
  context: RunContext,
  { prompt, entry, args, caller }: SubPromptCall,
): Promise<WireMessage> {
  const { engine, thread, turn, depth } = context;
  const named = entry?.initUserMessageProperty ??
    (prompt.requiredSchema === undefined ? "message" : undefined);
  const word: Json | undefined = named === undefined ? undefined : args[named];
  const files = entry?.initAttachmentsProperty === undefined
    ? undefined
    : paths(args[entry.initAttachmentsProperty]);
  const attachments = attachmentsOf(engine.ports.store, thread, files);
  const row = await engine.write("process", (tx, acts) =>
    append(tx, acts, acts.thread(tx, thread), {
      role: "user",
      content: typeof word === "string" ? word : JSON.stringify(word ?? args),
      attachments,
      parentId: caller?.id ?? null,
      depth,
      turn: turn?.turn.id ?? null,
    }, engine.now()));
  return wireMessage(row, false);
}

/** The conversation around it, for a prompt that includes it; the call that runs it is no part of it yet. */
function chatBefore(
  { engine, thread, turn }: RunContext,
  prompt: PromptDefinition,
  caller: WireMessage | undefined,
): readonly LlmMessage[] {
  if (!prompt.includeChat) return [];
  const { store } = engine.ports;
  const query = { limit: CHAT_ROWS, offset: 0, order: "desc", includeSilent: true, maxDepth: 0 } as const;
  const rows = store.messages(threadOf(store, thread).id, query).toReversed()
    .filter((row) => !row.deleted && row.id !== caller?.id)
    .map((row) => wireMessage(row, false));
  return llmHistory(rows, { side: turn?.turn.side ?? "a", tools: prompt.includePastTools });
}

/** Arguments as an object. */
export function asArguments(args: Json): JsonObject {
  return isObject(args) ? args as JsonObject : {};
}
