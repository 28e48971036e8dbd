import type { Clock } from "../base/mod.ts";
import { spellings } from "./spellings.ts";

/** A stretch of a text that shows a secret: from `start` up to but not including `end`. */
export interface Shown {
  readonly start: number;
  readonly end: number;
  readonly slot: string;
}

/** How long a value is still looked for after its last holder let it go, in milliseconds: logs arrive late. */
const LINGER_MS = 60_000;

interface Known {
  readonly slot: string;
  readonly texts: readonly string[];
  holders: number;
  releasedAt: number;
}

/** Knows the values that live and takes them out of text that people may read. */
export class Redactor {
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Looks for a value until the returned function is called, and a minute longer. */
  hold(value: string, slot: string): () => void {
    const known = this.#known.get(value) ?? { slot, texts: spellings(value), holders: 0, releasedAt: 0 };
    this.#known.set(value, known);
    known.holders++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      known.holders--;
      known.releasedAt = this.#clock.monotonic();
    };
  }

  /** The text with `[secret:<slot>]` in place of every value, in any of its spellings. */
  redact(text: string): string {
    let clean = "";
    let at = 0;
    for (const { start, end, slot } of this.find(text)) {
      clean += `${text.slice(at, start)}[secret:${slot}]`;
      at = end;
    }
    return at === 0 ? text : clean + text.slice(at);
  }

  /** Where a text shows a value, in order; stretches that overlap are one. */
  find(text: string): readonly Shown[] {
    const found: Shown[] = [];
    for (const { slot, texts } of this.#living()) {
      for (const spelling of texts) {
        for (let at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, at + 1)) {
          found.push({ start: at, end: at + spelling.length, slot });
        }
      }
    }
    return found.length < 2 ? found : merge(found);
  }

  /** Where the end of a text may be the beginning of a value; the text's length where it cannot. */
  openEnd(text: string): number {
    let open = text.length;
    for (const { texts } of this.#living()) {
      for (const spelling of texts) open = Math.min(open, openEndOf(text, spelling));
    }
    return open;
  }

  #living(): Iterable<Known> {
    const now = this.#clock.monotonic();
    for (const [value, known] of this.#known) {
      if (known.holders === 0 && now - known.releasedAt > LINGER_MS) this.#known.delete(value);
    }
    return this.#known.values();
  }
}

function merge(found: Shown[]): Shown[] {
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Shown[] = [];
  for (const next of found) {
    const last = merged.at(-1);
    if (!last || next.start >= last.end) merged.push(next);
    else if (next.end > last.end) merged[merged.length - 1] = { ...last, end: next.end };
  }
  return merged;
}

function openEndOf(text: string, spelling: string): number {
  const first = spelling.charAt(0);
  let at = text.indexOf(first, Math.max(0, text.length - spelling.length + 1));
  while (at >= 0 && !spelling.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
  return at < 0 ? text.length : at;
}
