import type { ActiveTurn } from "./engine/active_turn.ts";
import type { Engine } from "./engine/engine.ts";
import type { MessageHooks } from "./engine/message_hooks.ts";
import type { TurnEnd } from "./engine/turns.ts";
import { projectHooks, tellSubagentCreated } from "./prompt/message_hooks.ts";
import { runPromptTurn } from "./prompt/side_turn.ts";
import { ThreadTools } from "./tools/thread_tools.ts";

/** Hooks around messages. */
export function createHooks(): MessageHooks {
  return projectHooks;
}

/** Tools of every kind. */
export function createTools(): ThreadTools {
  return new ThreadTools({ tellCreated: tellSubagentCreated });
}

/** A prompt's turn. */
export function runPrompt(engine: Engine, tools: ThreadTools, turn: ActiveTurn): Promise<TurnEnd> {
  return runPromptTurn(engine, tools, turn);
}
