import { isAside, type Message } from "./message.ts";

/** What stands in the stream: a message, work between messages that is folded, or a new day. */
export type Item =
  | { readonly kind: "said"; readonly key: string; readonly message: Message }
  | { readonly kind: "work"; readonly key: string; readonly messages: readonly Message[] }
  | { readonly kind: "day"; readonly key: string; readonly at: number };

/** Messages as the stream shows them. @param dayOf the day that a moment is on, as a key */
export function itemsOf(messages: readonly Message[], dayOf: (at: number) => string): readonly Item[] {
  const items: Item[] = [];
  let day = "", work: Message[] | undefined;
  for (const message of messages) {
    const today = dayOf(message.at);
    if (today !== day) items.push({ kind: "day", key: `day-${today}-${message.seq}`, at: message.at });
    if (today !== day || !isAside(message)) work = undefined;
    day = today;
    if (!isAside(message)) {
      items.push({ kind: "said", key: message.id, message });
      if (message.calls.length > 0) {
        const calls = { ...message, id: `${message.id}/calls`, content: "", attachments: [] };
        items.push({ kind: "work", key: `work-${message.id}`, messages: work = [calls] });
      }
      continue;
    }
    if (work) work.push(message);
    else items.push({ kind: "work", key: `work-${message.id}`, messages: work = [message] });
  }
  return items;
}

/** The key of the item that shows a message. */
export function keyOf(items: readonly Item[], id: string): string | undefined {
  return items.find((item) =>
    item.kind === "said"
      ? item.message.id === id
      : item.kind === "work" && item.messages.some((one) => one.id === id)
  )?.key;
}

/** What was done between messages, counted. */
export interface Work {
  /** Names of tools that were called, each once. */
  readonly tools: readonly string[];
  readonly calls: number;
  readonly failed: number;
  readonly silent: number;
}

/** What a stretch of work consists of. */
export function workOf(messages: readonly Message[]): Work {
  const calls = messages.flatMap((one) => one.calls);
  return {
    tools: [...new Set(calls.map(({ name }) => name))],
    calls: calls.length,
    failed: messages.filter((one) => one.toolStatus === "error").length,
    silent: messages.filter((one) => one.silent && one.role !== "tool").length,
  };
}
