import type { TurnRow } from "$client";
import { router } from "$lib/router.svelte.ts";
import type { Conversation } from "./conversation.svelte.ts";

/** What a person has chosen in a thread: a message, or a turn, by the URL; each shows the other. */
export class Choice {
  readonly #conversation: Conversation;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** The chosen message. */
  get message(): string | null {
    return router.query.get("message");
  }

  /** The turn that is chosen: itself, else the one that was given the chosen message or wrote it. */
  get turn(): string | undefined {
    const { message } = this, turn = router.query.get("turn");
    if (turn !== null) return turn;
    if (message === null) return undefined;
    return this.#conversation.turns.list.findLast(({ messageId }) => messageId === message)?.id ??
      this.#conversation.messages.list.find(({ id }) => id === message)?.turn ?? undefined;
  }

  /** Where a message is chosen. */
  href(message: string): string {
    return this.#at({ message, turn: null });
  }

  /** Where a turn is chosen, and with it the message that it was given. */
  turnHref({ id, messageId }: TurnRow): string {
    return this.#at({ turn: id, message: messageId });
  }

  #at(values: Readonly<Record<string, string | null>>): string {
    const query = new URLSearchParams(router.query);
    for (const [name, value] of Object.entries(values)) {
      if (value === null) query.delete(name);
      else query.set(name, value);
    }
    return `${router.path}?${query}`;
  }
}
