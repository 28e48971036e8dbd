import { ask, askOrNull } from "./place.ts";
import type { Methods } from "./methods.ts";
import type { LogEntry } from "../../spec/state.ts";
import type { Message, MessagesPage } from "../../spec/messages.ts";

type Names =
  | "getMessages"
  | "getMessage"
  | "injectMessage"
  | "queueMessage"
  | "updateMessage"
  | "deleteMessage"
  | "getLogs";

/** What is said in a thread, and its log. */
export const messageMethods: Methods<Names> = {
  getMessages: (at) => async (options) =>
    await ask(at, "getMessages", options ?? {}) as unknown as MessagesPage,
  getMessage: (at) => async (id) => await askOrNull(at, "getMessage", id) as unknown as Message | null,
  injectMessage: (at) => async (input) => await ask(at, "injectMessage", input) as unknown as Message,
  queueMessage: (at) => async (input) => void await ask(at, "queueMessage", input),
  updateMessage: (at) => async (id, updates) =>
    await ask(at, "updateMessage", id, updates) as unknown as Message,
  deleteMessage: (at) => async (id) => await ask(at, "deleteMessage", id) === true,
  getLogs: (at) => async (options) => await ask(at, "getLogs", options ?? {}) as unknown as LogEntry[],
};
