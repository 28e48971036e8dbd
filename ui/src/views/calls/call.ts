import type { CallQuery, CallView } from "$client";

/** How long a range of time is that a person chooses. */
const RANGES = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000, month: 30 * 86_400_000 } as const;

/** A range of time up to now. */
export type Range = keyof typeof RANGES;

/** The ranges, the shortest first. */
export const ranges = Object.keys(RANGES) as readonly Range[];

/** How long a range is, in milliseconds; undefined for a word that is none. */
export function rangeMs(range: string | null): number | undefined {
  return range !== null && Object.hasOwn(RANGES, range) ? RANGES[range as Range] : undefined;
}

/** A time between two moments, in milliseconds since 1970; what is left out is open. */
export interface Span {
  readonly since?: number;
  readonly until?: number;
}

/** The time that a URL stands for: a range up to `now`, or `range=custom` between `since` and `until`, by local clocks. */
export function spanOf(params: URLSearchParams, now: number): Span {
  const range = params.get("range");
  const length = rangeMs(range);
  if (length !== undefined) return { since: now - length };
  if (range !== "custom") return {};
  const given = (["since", "until"] as const).map((name) =>
    [name, Date.parse(params.get(name) ?? "")] as const
  );
  return Object.fromEntries(given.filter(([, at]) => Number.isFinite(at)));
}

/** A moment as a field for local times has it, to the minute. */
export function localTime(at: number): string {
  const minutes = new Date(at).getTimezoneOffset();
  return new Date(at - minutes * 60_000).toISOString().slice(0, 16);
}

/** The filters that a URL may have, by the name of the query's field. */
const FIELDS = ["caller", "interfaceId", "tool", "binding", "session", "error"] as const;

/** The query that a URL stands for. @param now what a range reaches up to */
export function queryOf(params: URLSearchParams, now: number): Omit<CallQuery, "limit"> {
  const given = FIELDS.flatMap((name) => params.get(name) ? [[name, params.get(name)]] : []);
  return {
    ...Object.fromEntries(given),
    ...(params.get("failed") === "1" && { failedOnly: true }),
    ...spanOf(params, now),
  };
}

/** Where the filtered records are a file. */
export function exportHref(query: Omit<CallQuery, "limit">, format: "csv" | "jsonl"): string {
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return `/v1/calls/export?${new URLSearchParams([...pairs, ["format", format]])}`;
}

/** The token that each part of a call's time is painted with. */
export const partColours = {
  queue: "--line-strong",
  start: "--warn",
  upstream: "--accent",
  validate: "--good",
  rest: "--line",
} as const;

/** A part of a call's time. */
export type Part = keyof typeof partColours;

/** The parts of a call's time, in order; what is left over is the router's own. */
export function partsOf(
  call: CallView,
): readonly { readonly name: Part; readonly ms: number }[] {
  const { queueMs, startMs, upstreamMs, validateMs, totalMs } = call;
  const rest = Math.max(0, totalMs - queueMs - startMs - upstreamMs - validateMs);
  return [
    { name: "queue", ms: queueMs },
    { name: "start", ms: startMs },
    { name: "upstream", ms: upstreamMs },
    { name: "validate", ms: validateMs },
    { name: "rest", ms: rest },
  ];
}
