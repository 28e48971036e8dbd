import type { LogRow, TurnRow } from "$client";

/** What a turn came to, by its log. */
export interface Figures {
  /** Milliseconds; undefined while it runs. */
  readonly took: number | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly models: readonly string[];
  /** In the currency of the prices; undefined where no price is known. */
  readonly cost: number | undefined;
  /** Tools that the model called, in order. */
  readonly tools: readonly string[];
}

/** Adds up what the log says of a turn. */
export function figuresOf({ startedAt, endedAt }: TurnRow, logs: readonly LogRow[]): Figures {
  const said = logs.map(dataOf);
  const sum = (key: string) => said.reduce((all, data) => all + numberAt(data, key), 0);
  const costs = said.flatMap(({ cost }) => typeof cost === "number" ? [cost] : []);
  const requests = logs.filter(({ kind }) => kind === "model_request").map(dataOf);
  return {
    took: endedAt === null ? undefined : (endedAt - startedAt) / 1000,
    inputTokens: sum("input_tokens"),
    outputTokens: sum("output_tokens"),
    models: [...new Set(requests.flatMap(({ model }) => typeof model === "string" ? [model] : []))],
    cost: costs.length > 0 ? costs.reduce((all, one) => all + one, 0) : undefined,
    tools: requests.flatMap((data) =>
      Array.isArray(data["tools_called"]) ? data["tools_called"].filter((one) => typeof one === "string") : []
    ),
  };
}

/** What a log row says besides. */
export function dataOf({ data }: LogRow): { readonly [key: string]: unknown } {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null ? value as { readonly [key: string]: unknown } : {};
  } catch {
    return {};
  }
}

function numberAt(data: { readonly [key: string]: unknown }, key: string): number {
  return typeof data[key] === "number" ? data[key] : 0;
}

/** What the turn log shows: a turn with its rows, or rows that belong to none. */
export type Entry =
  | { readonly kind: "turn"; readonly key: string; readonly turn: TurnRow; readonly logs: readonly LogRow[] }
  | { readonly kind: "log"; readonly key: string; readonly log: LogRow };

/** Turns and the log rows beside them, the newest first. */
export function entriesOf(turns: readonly TurnRow[], logs: readonly LogRow[]): readonly Entry[] {
  const known = new Set(turns.map(({ id }) => id));
  const of = Map.groupBy(logs, ({ turn }) => turn !== null && known.has(turn) ? turn : "");
  const from = turns[0]?.seq ?? 0;
  return [
    ...turns.map((turn) =>
      ({ kind: "turn", key: turn.id, turn, logs: of.get(turn.id) ?? [], seq: turn.seq }) as const
    ),
    // rows of turns that are not at hand come with those
    ...(of.get("") ?? []).filter(({ seq, turn }) => turn === null && seq >= from)
      .map((log) => ({ kind: "log", key: log.id, log, seq: log.seq }) as const),
  ].sort((a, b) => b.seq - a.seq);
}
