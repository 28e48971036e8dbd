import { isObject, type Json, type JsonObject, newId } from "../../base/mod.ts";
import type { ThreadRow } from "../../store/mod.ts";
import type { WireMessage } from "../../wire/mod.ts";
import type { NewMessage } from "../engine/append.ts";
import { snapshotOf } from "../engine/children.ts";
import type { MessageHooks } from "../engine/message_hooks.ts";
import type { RunContext } from "../state/context.ts";
import { threadOf } from "../state/messages.ts";
import { contextHooks } from "./context_hooks.ts";
import type { HookChain } from "./hook_chain.ts";

/** The hooks of a project's definitions around messages and threads that are made. */
export const projectHooks: MessageHooks = {
  beforeCreate(context, thread, message, injected) {
    const hooks = hooksOf(context, thread);
    return hooks.has("before_create_message") ? changed(hooks, context, message, injected ?? false) : message;
  },

  afterCreate(context, thread, message) {
    tellLater(context, thread, "after_create_message", message as unknown as Json);
  },

  beforeUpdate(context, thread, message, updates) {
    const hooks = hooksOf(context, thread);
    if (!hooks.has("before_update_message")) return updates;
    return hooks.through("before_update_message", updates as JsonObject, isObject, [message]).then((given) =>
      given ?? updates
    );
  },

  afterUpdate(context, thread, message) {
    tellLater(context, thread, "after_update_message", message as unknown as Json);
  },

  created(context, thread) {
    void tellMade(context, thread);
  },
};

/** A thread was made as a child of the context's own: its parent's hooks are told, and its own. */
export async function tellSubagentCreated(context: RunContext, child: string): Promise<void> {
  const { store } = context.engine.ports;
  const snapshot = snapshotOf(store, threadOf(store, child), context.definitions);
  await contextHooks(context, snapshot).tell("after_subagent_created");
  await tellMade(context, child);
}

/** Hooks are told of a thread, and of the children that it has from the start. */
async function tellMade(context: RunContext, thread: string): Promise<void> {
  const own = forThread(context, thread);
  if (!own) return;
  try {
    await contextHooks(own).tell("after_thread_created");
    for (const child of own.engine.ports.store.children(thread)) await tellSubagentCreated(own, child.id);
  } catch (error) {
    own.engine.ports.log.log(
      "warn",
      `the hooks of the new thread ${thread} were cut short: ${String(error)}`,
    );
  }
}

/** What happens is not held up by those who only look on. */
function tellLater(
  context: RunContext,
  thread: string,
  kind: "after_create_message" | "after_update_message",
  value: Json,
) {
  const hooks = hooksOf(context, thread);
  if (!hooks.has(kind)) return;
  hooks.tell(kind, value).catch((error) =>
    context.engine.ports.log.log("warn", `${kind} of the thread ${thread} was cut short: ${String(error)}`)
  );
}

function hooksOf(context: RunContext, thread: string): HookChain {
  return contextHooks(forThread(context, thread) ?? context);
}

/** The context for a thread that is another one than that whose code acts: its agent's hooks run, for it. */
function forThread(context: RunContext, id: string): RunContext | undefined {
  if (id === context.thread) return context;
  const row: ThreadRow | undefined = context.engine.ports.store.thread(id);
  const agent = row && context.definitions.agents.get(row.agent);
  return agent && { ...context, thread: id, agent, turn: undefined, prompt: undefined, uses: undefined };
}

async function changed(
  hooks: HookChain,
  context: RunContext,
  message: NewMessage,
  injected: boolean,
): Promise<NewMessage> {
  const id = message.id ?? newId(context.engine.now());
  const shown = asWire({ ...message, id }, context.engine.now()) as unknown as JsonObject;
  const isMessage = (given: Json) => isObject(given) && "content" in given;
  const given = injected
    ? await hooks.throughOrThrow("before_create_message", shown, isMessage)
    : await hooks.through("before_create_message", shown, isMessage);
  return given === null ? message : { ...message, id, ...takenOver(given as unknown as WireMessage) };
}

function asWire(message: NewMessage & { readonly id: string }, nowMs: number): WireMessage {
  return {
    id: message.id,
    role: message.role,
    content: message.content,
    ...message.name ? { name: message.name } : {},
    ...message.toolCalls ? { tool_calls: message.toolCalls } : {},
    ...message.toolCallId ? { tool_call_id: message.toolCallId } : {},
    created_at: nowMs * 1000,
    status: null,
    ...message.toolStatus ? { tool_status: message.toolStatus } : {},
    ...message.silent ? { silent: true } : {},
    ...message.metadata ? { metadata: message.metadata } : {},
    ...message.parentId ? { parent_id: message.parentId } : {},
    ...message.depth ? { depth: message.depth } : {},
    ...message.attachments ? { attachments: message.attachments } : {},
  };
}

/** What a hook may change of a message: not who said it, nor which one it is. */
function takenOver(given: WireMessage): Pick<NewMessage, "content" | "silent" | "metadata" | "attachments"> {
  return {
    content: typeof given.content === "string" ? given.content : null,
    silent: given.silent === true,
    metadata: isObject(given.metadata) ? given.metadata as JsonObject : null,
    attachments: Array.isArray(given.attachments) ? given.attachments : null,
  };
}
