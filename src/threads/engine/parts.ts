import type { ThreadsPorts } from "../ports.ts";
import type { ActiveTurn } from "./active_turn.ts";
import type { MessageHooks } from "./message_hooks.ts";
import type { TurnEnd } from "./turns.ts";

/** How the functions behind a turn are run; the engine says when. */
export interface TurnRunners {
  /** One invocation. Resolves with how the turn went; never rejects. */
  handler(turn: ActiveTurn): Promise<TurnEnd>;
  /** A model loop. Resolves with how the turn went; never rejects. */
  prompt(turn: ActiveTurn): Promise<TurnEnd>;
}

/** What the {@linkcode Engine} is made of. */
export interface EngineParts {
  readonly ports: ThreadsPorts;
  readonly runners: TurnRunners;
  readonly hooks: MessageHooks;
}
