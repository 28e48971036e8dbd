import type { Message } from "./messages.ts";
import type { ThreadState } from "./state.ts";

/** Marks what `defineHandler` made, across copies of this module. */
export const HANDLER_SYMBOL: unique symbol = Symbol.for("@standardagents/spec/handler");

/** `defineHandler`: takes one side's turns. Its name is its file's. */
export interface HandlerDefinition {
  description?: string;
  execute: (state: ThreadState, message: Message) => Promise<void>;
}

/** Whether something was made by `defineHandler`. */
export function isHandler(value: unknown): value is HandlerDefinition {
  return typeof value === "object" && value !== null && HANDLER_SYMBOL in value;
}
