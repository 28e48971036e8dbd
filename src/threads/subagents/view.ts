import { findVariable } from "../engine/env.ts";
import { registry } from "../engine/children.ts";
import type { RunContext } from "../state/context.ts";
import { threadOf } from "../state/messages.ts";
import type { ParentView } from "./plan.ts";

/** A variable as the code of a context sees it. */
export function contextEnv(context: RunContext): (name: string) => string | undefined {
  const { definitions, prompt, engine: { ports } } = context;
  const thread = threadOf(ports.store, context.thread);
  return (name) => findVariable(ports.store, { ports, definitions, prompt }, thread, name)?.value;
}

/** What a context's thread has that decides about its children; outside of a turn side A's come first. */
export function parentView(context: RunContext): ParentView {
  const { store } = context.engine.ports;
  return {
    definitions: context.definitions,
    agent: context.agent,
    side: context.turn?.turn.side ?? "a",
    children: registry(store, context.thread, context.definitions),
    threadEnv: store.env(context.thread),
    env: contextEnv(context),
  };
}
