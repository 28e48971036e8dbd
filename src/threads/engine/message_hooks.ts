import type { Json } from "../../base/mod.ts";
import type { WireMessage } from "../../wire/mod.ts";
import type { RunContext } from "../state/context.ts";
import type { NewMessage } from "./append.ts";

/** What hooks do around a message that is made or changed (threads.md §2.6). */
export interface MessageHooks {
  /** The message as it is stored. @throws what the hook throws, for a message that is `injected`; nothing is stored then */
  beforeCreate(
    context: RunContext,
    thread: string,
    message: NewMessage,
    injected?: boolean,
  ): Promise<NewMessage> | NewMessage;
  afterCreate(context: RunContext, thread: string, message: WireMessage): void;
  beforeUpdate(
    context: RunContext,
    thread: string,
    message: string,
    updates: { readonly [key: string]: Json },
  ): Promise<{ readonly [key: string]: Json }> | { readonly [key: string]: Json };
  afterUpdate(context: RunContext, thread: string, message: WireMessage): void;
  /** A thread was made, and with it the children that it has from the start. */
  created(context: RunContext, thread: string): void;
}

/** Where a project has no hooks. */
export const NO_HOOKS: MessageHooks = {
  beforeCreate: (_context, _thread, message) => message,
  afterCreate() {},
  beforeUpdate: (_context, _thread, _message, updates) => updates,
  afterUpdate() {},
  created() {},
};
