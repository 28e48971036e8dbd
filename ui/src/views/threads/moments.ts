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

/** What goes on right now. */
export interface Now {
  /** What a model is saying, before it is a message. */
  readonly saying: { readonly prompt: string; readonly text: string } | undefined;
  /** The last of what was told, the newest at the end. */
  readonly moments: readonly Moment[];
}

/** Nothing goes on. */
export const STILL: Now = { saying: undefined, moments: [] };

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
      return { ...now, saying: { prompt: text("prompt"), text: (now.saying?.text ?? "") + text("text") } };
    case "void":
    case "text":
      return { ...now, saying: undefined };
    case "tool_call":
      return withMoment({ ...now, saying: undefined }, {
        kind: "call",
        name: text("name"),
        text: text("progress"),
        at,
      });
    case "tool_result":
      return withMoment(now, { kind: "result", name: text("name"), text: text("status"), at });
    case "progress":
      return withMoment(now, { kind: "progress", name: text("name"), text: text("text"), at });
    default:
      return now;
  }
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
