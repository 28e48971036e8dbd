import { isObject, type Json } from "../../base/mod.ts";
import type { WatchEvent } from "../facade.ts";

/** A piece of an answer, as watchers are told of it. */
interface PieceData {
  readonly type: "piece";
  readonly message: string;
  readonly at: number;
  readonly text: string;
}

/** The event for a piece with those that came right before it, as one; undefined where they do not belong together. */
export function joined(before: WatchEvent | undefined, event: WatchEvent): WatchEvent | undefined {
  const [first, second] = [pieceOf(before), pieceOf(event)];
  if (!first || !second || first.message !== second.message) return undefined;
  if (second.at !== first.at + first.text.length) return undefined;
  return { event: "delta", data: { ...first as object, text: first.text + second.text } as Json };
}

function pieceOf(event: WatchEvent | undefined): PieceData | undefined {
  if (event?.event !== "delta" || !isObject(event.data)) return undefined;
  const data = event.data as unknown as PieceData;
  return data.type === "piece" ? data : undefined;
}

/** Answers that are being made, so that who begins to watch in the middle of one has its beginning. */
export class SaidSoFar {
  readonly #of = new Map<string, Map<string, WatchEvent>>();

  /** What was said of a thread's answers under way. */
  of(thread: string): readonly WatchEvent[] {
    return [...this.#of.get(thread)?.values() ?? []];
  }

  /** Takes what watchers are told: a piece goes on, whatever else names a message ends its answer. */
  take(thread: string, event: WatchEvent): void {
    if (event.event !== "delta" || !isObject(event.data)) return;
    const { message } = event.data as { readonly [key: string]: unknown };
    if (typeof message !== "string") return;
    const answers = this.#of.get(thread) ?? new Map<string, WatchEvent>();
    if (pieceOf(event)) {
      answers.set(message, joined(answers.get(message), event) ?? event);
      this.#of.set(thread, answers);
    } else if (answers.delete(message) && answers.size === 0) this.#of.delete(thread);
  }
}
