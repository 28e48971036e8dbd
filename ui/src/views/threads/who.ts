import type { Side, ThreadRow, ThreadSide, ThreadView, TurnRow } from "$client";
import { t } from "$texts";
import type { Message } from "./message.ts";

/** Who said a message. */
export interface Speaker {
  readonly name: string;
  readonly side: Side | null;
  readonly backing: ThreadSide["backing"] | null;
  /** Whether it is a word of the person whose side this is. */
  readonly mine: boolean;
}

type Known = Pick<ThreadView, "sides" | "children"> | undefined;

/** The side that a message is of. */
export function sideOf({ role }: Pick<Message, "role">): Side | null {
  return role === "assistant" ? "a" : role === "user" ? "b" : null;
}

/** The side that a person takes. */
export function humanSide(known: Known): Side | undefined {
  if (known?.sides.a?.backing === "human") return "a";
  return known?.sides.b?.backing === "human" ? "b" : undefined;
}

/** Who said a message: a child, the function or model whose turn wrote it, a person. */
export function speakerOf(
  message: Message,
  known: Known,
  turn: TurnRow | undefined,
  person: string | null,
): Speaker {
  const side = sideOf(message);
  const behind = side && known?.sides[side] || null;
  const speaker = (name: string, backing: Speaker["backing"]): Speaker => ({
    name,
    side,
    backing,
    mine: false,
  });
  if (message.subagent !== null) {
    const child = known?.children.find(({ reference }) => reference === message.subagent);
    return speaker(child?.title ?? child?.name ?? t("threads.who.subagent"), null);
  }
  if (message.turn !== null && turn) return speaker(message.name ?? turn.name, turn.backing);
  if (message.turn === null && (behind === null ? side === "b" : behind.backing === "human")) {
    return { name: message.name ?? person ?? t("threads.you"), side, backing: "human", mine: true };
  }
  return speaker(message.name ?? sideName(side, behind), behind?.backing ?? null);
}

/** What a side is called. */
export function sideName(side: Side | null, behind: ThreadSide | null): string {
  if (behind?.label) return behind.label;
  if (behind?.name) return behind.name;
  return side === null ? t("threads.who.system") : t(`threads.side.${side}`);
}

/** Whether a message still waits for the turn of a side. */
export function isWaiting(message: Message, known: Known, thread: ThreadRow | undefined): boolean {
  if (!thread || thread.terminatedAt !== null || message.depth > 0 || message.content === "") return false;
  const acts = message.role === "user" ? "a" : message.role === "assistant" ? "b" : undefined;
  if (!acts || !known?.sides[acts] || known.sides[acts].backing === "human") return false;
  return message.seq > (acts === "a" ? thread.seenA : thread.seenB);
}
