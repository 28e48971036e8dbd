import type { Json } from "$client";

/** Something of the moment that is told while a turn runs, and kept nowhere. */
export interface Moment {
  readonly kind: "call" | "result" | "progress" | "event";
  /** The tool's, the service's, the event's. */
  readonly name: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What a model says, while it says it. */
export interface Saying {
  /** The id that its message will have. */
  readonly message: string;
  readonly prompt: string;
  readonly text: string;
}

/** What goes on right now. */
export interface Now {
  /** Answers that are being made. */
  readonly saying: readonly Saying[];
  /** The last of what was told, the newest at the end. */
  readonly moments: readonly Moment[];
}

/** Nothing goes on. */
export const STILL: Now = { saying: [], moments: [] };

const KEPT = 20;

/** What a watcher was told of the moment, taken in. */
export function heard(
  now: Now,
  told: { readonly name: string | null; readonly data: Json },
  at: number,
): Now {
  const { name, data } = told;
  if (name !== null) return withMoment(now, { kind: "event", name, text: brief(data), at });
  const delta = (data ?? {}) as { readonly [key: string]: Json };
  const text = (key: string) => typeof delta[key] === "string" ? delta[key] : "";
  switch (delta["type"]) {
    case "piece":
      return withPiece(
        now,
        { message: text("message"), prompt: text("prompt"), text: text("text") },
        delta["at"],
      );
    case "text":
      // its message follows in a moment; until then nothing is taken away
      return withPiece(now, { message: text("message"), prompt: text("prompt"), text: text("text") }, 0);
    case "void":
      return without(now, new Set([text("message")]));
    case "tool_call":
      return withMoment(now, { kind: "call", name: text("name"), text: text("progress"), at });
    case "tool_result":
      return withMoment(now, { kind: "result", name: text("name"), text: text("status"), at });
    case "progress":
      return withMoment(now, { kind: "progress", name: text("name"), text: text("text"), at });
    default:
      return now;
  }
}

/** What is said now without answers that are messages by now, or will be none. */
export function without(now: Now, messages: ReadonlySet<string>): Now {
  if (!now.saying.some(({ message }) => messages.has(message))) return now;
  return { ...now, saying: now.saying.filter(({ message }) => !messages.has(message)) };
}

/** A piece goes on where the text before it is there; 0 begins anew, and of one that follows a gap the message comes whole. */
function withPiece(now: Now, piece: Saying, at: Json | undefined): Now {
  const index = now.saying.findIndex(({ message }) => message === piece.message);
  const before = index === -1 ? "" : now.saying[index]!.text;
  if (at !== 0 && at !== before.length) return without(now, new Set([piece.message]));
  const next = at === 0 ? piece : { ...piece, text: before + piece.text };
  return { ...now, saying: index === -1 ? [...now.saying, next] : now.saying.with(index, next) };
}

/** A tool that is done replaces its call, a progress the one before: each has one line. */
function withMoment(now: Now, moment: Moment): Now {
  const place = moment.kind === "result" ? "call" : moment.kind === "progress" ? "progress" : undefined;
  const at = now.moments.findLastIndex(({ kind, name }) => kind === place && name === moment.name);
  const moments = at === -1 ? [...now.moments, moment] : now.moments.with(at, moment);
  return { ...now, moments: moments.slice(-KEPT) };
}

function brief(data: Json): string {
  const text = typeof data === "string" ? data : JSON.stringify(data) ?? "";
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
