import type { ActiveTurn } from "./engine/active_turn.ts";
import type { Engine } from "./engine/engine.ts";
import { runFunction } from "./engine/functions.ts";
import { type MessageHooks, NO_HOOKS } from "./engine/message_hooks.ts";
import type { TurnEnd } from "./engine/turns.ts";
import type { RunContext, ToolResult, ToolRunner } from "./state/context.ts";
import { errorText, type Json } from "../base/mod.ts";

/** Hooks around messages. */
export function createHooks(): MessageHooks {
  return NO_HOOKS;
}

/** Tools of every kind. */
export function createTools(): ToolRunner {
  return { run: runProjectTool };
}

async function runProjectTool(context: RunContext, name: string, args: Json): Promise<ToolResult> {
  try {
    const result = await runFunction(context, { kind: "tool", name, args, callId: null });
    return (result ?? { status: "success" }) as ToolResult;
  } catch (error) {
    return { status: "error", error: errorText(error) };
  }
}

/** A prompt's turn. */
export function runPrompt(_engine: Engine, _tools: ToolRunner, turn: ActiveTurn): Promise<TurnEnd> {
  const error = {
    message: `the prompt ${turn.turn.name} cannot run`,
    type: "not_started",
    origin: "runtime",
  };
  return Promise.resolve({ state: "failed", error, stopCode: null });
}
