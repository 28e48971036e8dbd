import type { Redactor } from "./redactor.ts";

/** Takes a text in pieces and gives it back without secrets, also where one lies across two pieces. */
export interface RedactingStream {
  /** Takes a piece of UTF-8; gives what can be shown already. Only what may yet become a value is held back. */
  push(bytes: Uint8Array): string;
  /** Gives the rest. */
  end(): string;
  /** Whether something is held back. */
  readonly pending: boolean;
}

/** A stream over a redactor. */
export function redactingStream(redactor: Redactor): RedactingStream {
  const decoder = new TextDecoder();
  let held = "";
  let covered = 0; // so many characters of `held` belong to a value that has been replaced already
  const take = (more: string, last: boolean): string => {
    const text = held + more;
    const upTo = last ? text.length : redactor.openEnd(text);
    let clean = "";
    let at = Math.min(covered, upTo);
    let hidden = covered;
    for (const { start, end, slot } of redactor.find(text)) {
      if (start >= upTo) break;
      if (start >= hidden) clean += `${text.slice(at, start)}[secret:${slot}]`;
      hidden = Math.max(hidden, end);
      at = Math.min(hidden, upTo);
    }
    clean += text.slice(at, upTo);
    held = text.slice(upTo);
    covered = Math.max(0, hidden - upTo);
    return clean;
  };
  return {
    push: (bytes) => take(decoder.decode(bytes, { stream: true }), false),
    end: () => take(decoder.decode(), true),
    get pending() {
      return held !== "";
    },
  };
}
