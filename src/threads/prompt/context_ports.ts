import type { Json } from "../../base/mod.ts";
import type { PromptDefinition, WireMessage } from "../../wire/mod.ts";
import { append, appendLog, wireMessage } from "../engine/append.ts";
import { attachmentsOf, fileReference } from "../state/attachments.ts";
import type { RunContext } from "../state/context.ts";
import { setStatus } from "../state/control.ts";
import { copyFiles } from "../subagents/deliver.ts";
import { contextEnv } from "../subagents/view.ts";
import { askModel } from "./ask_model.ts";
import { contextHooks } from "./context_hooks.ts";
import type { LoopPorts, NewRow, RequestLog } from "./ports.ts";
import { promptText } from "./prompt_text.ts";

/** What a loop's ports have in common, whether a side's turn or a sub-prompt. */
export type CommonPorts = Omit<
  LoopPorts,
  "view" | "role" | "side" | "begin" | "rows" | "before" | "tools" | "queued" | "call"
>;

/** The ports over a thread of the engine. @param context that of the prompt: its name and depth are in it */
export function commonPorts(
  context: RunContext,
  prompt: PromptDefinition,
  parentId: string | null,
): CommonPorts {
  const { engine, definitions, thread, signal, turn } = context;
  const { clock, store } = engine.ports;
  return {
    signal,
    prompt,
    model: definitions.models.get(prompt.model),
    hooks: contextHooks(context),
    monotonic: () => clock.monotonic(),
    promptText: () =>
      promptText(prompt, { prompt: (name) => definitions.prompts.get(name), env: contextEnv(context) }),
    append: (row) => appendRow(context, row, parentId),
    log: (entry) => logRequest(context, prompt, entry),
    ask: (request, piece) => askModel(context, request, piece),
    files(paths) {
      const rows = paths.map((path) => store.file(thread, path));
      const missing = rows.findIndex((row) => row?.isDirectory !== false);
      return missing >= 0
        ? { missing: paths[missing]! }
        : { attachments: rows.map((row) => fileReference(row!)) };
    },
    endSession: async (end, files) => {
      const attachments = await forParent(context, files);
      await engine.write(
        "power",
        (tx, acts) => engine.endSession(tx, acts, acts.thread(tx, thread), { ...end, attachments }),
      );
      if (turn) turn.stopCode = end.reason;
    },
    setStatus: async (text) => {
      await engine.write("process", (tx, acts) => setStatus(acts, acts.thread(tx, thread), text));
    },
    stopped: () => turn?.stopCode ?? null,
    delta: (data) =>
      engine.watchers.delta(
        thread,
        { prompt: prompt.name, depth: context.depth, turn: turn?.turn.id ?? null, ...data as object } as Json,
      ),
  };
}

/** Copies of files in the parent's thread, where the child's report comes by itself. */
async function forParent(context: RunContext, files: readonly string[]): Promise<readonly Json[]> {
  const { store } = context.engine.ports;
  const link = store.thread(context.thread)?.link;
  if (!link || link.communication === "explicit" || files.length === 0) return [];
  if (context.engine.isAwaited(context.thread)) return [];
  const copies = await copyFiles(context, context.thread, link.parent, files);
  return attachmentsOf(store, link.parent, copies) ?? [];
}

async function appendRow(context: RunContext, row: NewRow, parentId: string | null): Promise<WireMessage> {
  const { engine, thread, turn, depth } = context;
  const { toolCalls, ...rest } = row;
  const message = await engine.hooks.beforeCreate(context, thread, {
    ...rest,
    ...toolCalls === undefined ? {} : { toolCalls: JSON.stringify(toolCalls) },
    parentId,
    depth,
    turn: turn?.turn.id ?? null,
  });
  const stored = await engine.write(
    "process",
    (tx, acts) => append(tx, acts, acts.thread(tx, thread), message, engine.now()),
  );
  const wire = wireMessage(stored, false);
  engine.hooks.afterCreate(context, thread, wire);
  return wire;
}

async function logRequest(context: RunContext, prompt: PromptDefinition, entry: RequestLog): Promise<void> {
  const { engine, thread, turn } = context;
  await engine.write("process", (tx, acts) => {
    appendLog(tx, acts, acts.thread(tx, thread), {
      turn: turn?.turn.id ?? null,
      kind: "model_request",
      name: prompt.name,
      messageId: turn?.message.id ?? null,
      latencyMs: entry.latencyMs,
      error: entry.error,
      data: entry.data,
    }, engine.now());
  });
}
