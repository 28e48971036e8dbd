import { HandlerError, type Json } from "../../base/mod.ts";
import type { ThreadRow } from "../../store/mod.ts";
import type { Acts } from "../engine/acts.ts";
import type { ThreadWrites } from "../../store/mod.ts";
import { append } from "../engine/append.ts";
import { handOver, snapshotOf } from "../engine/children.ts";
import { inboundRole } from "../definitions.ts";
import { countArgument, objectArgument, type RunContext, type StateMethod, textArgument } from "./context.ts";
import { threadOf } from "./messages.ts";

const STOPPED = "Session stopped.";
/** Characters of an event's data as JSON: events are kept for who does not take them yet. */
const EVENT_LIMIT = 64 * 1024;

/** Sessions, parents, children and the end of threads (threads.md §3.2, §6.3, §7). */
export const CONTROL_METHODS: Readonly<Record<string, StateMethod>> = {
  async notifyParent(context, id, [content]) {
    const text = textArgument("notifyParent", "the content", content);
    await context.engine.write(
      "power",
      (tx, acts) => notifyParent(context, tx, acts, acts.thread(tx, id), text),
    );
    return undefined;
  },

  async setStatus(context, id, [status]) {
    const text = textArgument("setStatus", "the status", status);
    await context.engine.write("process", (tx, acts) => setStatus(acts, acts.thread(tx, id), text));
    return undefined;
  },

  async stopSession(context, id, [given]) {
    const { turn } = context;
    if (!turn || id !== context.thread) {
      throw new HandlerError(
        "conflict",
        "state.stopSession ends the session of the turn that calls it; no turn is under way here",
      );
    }
    const options = objectArgument("stopSession", "the options", given);
    const optional = (name: string) =>
      options[name] === undefined ? undefined : textArgument("stopSession", name, options[name]);
    const notify = optional("notifyParent"), status = optional("status");
    const blank = typeof options["result"] !== "string" || options["result"].trim() === "";
    const result = blank ? STOPPED : textArgument("stopSession", "result", options["result"]).trim();
    await context.engine.write("power", (tx, acts) => {
      const thread = acts.thread(tx, id);
      if (notify !== undefined) notifyParent(context, tx, acts, thread, notify);
      if (status !== undefined) setStatus(acts, thread, status);
      context.engine.endSession(tx, acts, thread, { reason: "state_stop_session", success: true, result });
    });
    turn.stopCode = "state_stop_session";
    return undefined;
  },

  stop(context) {
    if (context.turn) context.turn.stopCode ??= "stopped";
    return undefined;
  },

  forceTurn() {
    throw new HandlerError(
      "usage",
      "state.execution.forceTurn is not there: a side acts when there is a message for it",
      {
        hint: "give it one with state.injectMessage in the role that the side acts on",
      },
    );
  },

  async terminate(context, id) {
    await terminate(context.engine, id);
    return undefined;
  },

  getChildThread(context, id, [reference]) {
    const { store } = context.engine.ports;
    const child = store.thread(textArgument("getChildThread", "the reference", reference));
    if (!child || child.link?.parent !== id) return null;
    return snapshotOf(store, child, context.definitions) as unknown as Json;
  },

  getParentThread(context, id) {
    const { store } = context.engine.ports;
    const parent = store.thread(threadOf(store, id).link?.parent ?? "");
    return parent ? snapshotOf(store, parent, context.definitions) as unknown as Json : null;
  },

  emit(context, id, [event, data]) {
    const name = textArgument("emit", "the event", event);
    const size = JSON.stringify(data ?? null).length;
    if (size > EVENT_LIMIT) {
      throw new HandlerError(
        "usage",
        `state.emit: the data has at most ${EVENT_LIMIT} characters as JSON, not ${size}`,
      );
    }
    context.engine.watchers.custom(id, name, data ?? null);
    return undefined;
  },

  async runAgent(context, id, [name]) {
    const agent = textArgument("runAgent", "the agent", name);
    context.definitions.agent(agent);
    await context.engine.write("power", (tx, acts) => {
      const thread = acts.thread(tx, id);
      if (thread.agent !== agent) {
        handOver(tx, acts, context.engine.making(context.definitions), thread, agent);
      }
      context.engine.proceed(tx, acts, thread);
    });
    return undefined;
  },

  async scheduleEffect(context, id, [name, args, delay]) {
    const effect = textArgument("scheduleEffect", "the name", name);
    if (!context.definitions.effects.has(effect)) {
      const other = context.definitions.handlers.has(effect)
        ? "; a handler takes turns and is not scheduled"
        : "";
      throw new HandlerError("not_found", `the project defines no effect "${effect}"${other}`);
    }
    const delayMs = countArgument("scheduleEffect", "the delay in milliseconds", delay, 0);
    return await context.engine.effects.schedule(id, effect, JSON.stringify(args ?? null), delayMs);
  },

  getScheduledEffects(context, id, [name]) {
    return context.engine.ports.store.pendingEffects(id)
      .filter((effect) => typeof name !== "string" || effect.name === name)
      .map((effect) => ({
        id: effect.id,
        name: effect.name,
        args: JSON.parse(effect.args),
        scheduledAt: effect.scheduledAt,
        createdAt: effect.createdAt,
      }));
  },

  removeScheduledEffect(context, id, [effect]) {
    const wanted = textArgument("removeScheduledEffect", "the id", effect);
    return context.engine.effects.cancel(id, wanted, "agent_canceled");
  },
};

/** In a transaction: a child's own word to the side that owns it; nothing where there is no parent. */
export function notifyParent(
  context: Pick<RunContext, "engine" | "turn">,
  tx: ThreadWrites,
  acts: Acts,
  thread: ThreadRow,
  content: string,
): void {
  if (!thread.link) return;
  const parent = acts.thread(tx, thread.link.parent);
  if (parent.terminatedAt !== null) return;
  append(tx, acts, parent, {
    role: inboundRole(thread.link.owner),
    content,
    silent: true,
    metadata: { subagent_id: thread.id },
    turn: null,
    ...context.turn && { hops: thread.hops + 1 },
  }, context.engine.now());
  context.engine.proceed(tx, acts, parent);
}

/** In a transaction: what a child's entry in its parent's registry says; nothing where there is no parent. */
export function setStatus(acts: Acts, thread: ThreadRow, status: string): void {
  if (!thread.link) return;
  thread.statusText = status;
  acts.changed.add(thread.id).add(thread.link.parent);
}

/** Ends a thread for good (threads.md §7.3). */
export async function terminate(engine: RunContext["engine"], id: string): Promise<void> {
  await engine.write("power", (tx, acts) => {
    const thread = acts.thread(tx, id);
    if (thread.terminatedAt !== null) return;
    engine.endSession(tx, acts, thread, {
      reason: "terminated",
      success: false,
      result: "The thread was terminated.",
    });
    thread.terminatedAt = engine.now() * 1000;
    thread.status = "terminated";
    for (const effect of tx.pendingEffects(id)) tx.saveEffect({ ...effect, state: "agent_canceled" });
    acts.terminated.push(id);
    acts.changed.add(id);
    if (thread.link) engine.settle(tx, acts, thread.link.parent);
  });
}
