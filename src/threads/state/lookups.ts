import type { Json } from "../../base/mod.ts";
import type { LogRow, TurnRow } from "../../store/mod.ts";
import { found } from "../definitions.ts";
import { countArgument, objectArgument, type StateMethod, textArgument, wordArgument } from "./context.ts";

/** Rows of a page of the log. */
const MOST_LOGS = 1000;

/** Definitions and logs (threads.md §3.2, §8). */
export const LOOKUP_METHODS: Readonly<Record<string, StateMethod>> = {
  loadModel: ({ definitions }, _, [name]) =>
    data(found("model", definitions.models, textArgument("loadModel", "the name", name))),
  loadPrompt: ({ definitions }, _, [name]) =>
    data(definitions.prompt(textArgument("loadPrompt", "the name", name))),
  loadAgent: ({ definitions }, _, [name]) =>
    data(definitions.agent(textArgument("loadAgent", "the name", name))),
  getModelNames: ({ definitions }) => [...definitions.models.keys()],
  getPromptNames: ({ definitions }) => [...definitions.prompts.keys()],
  getAgentNames: ({ definitions }) => [...definitions.agents.keys()],

  getLogs(context, id, [given]) {
    const options = objectArgument("getLogs", "the options", given);
    const query = {
      limit: Math.min(MOST_LOGS, countArgument("getLogs", "limit", options["limit"], 100)),
      offset: countArgument("getLogs", "offset", options["offset"], 0),
      order: wordArgument("getLogs", "order", options["order"], ["asc", "desc"], "desc"),
    } as const;
    const { store } = context.engine.ports;
    const whole = { limit: query.limit + query.offset, offset: 0, order: query.order };
    const turns = store.turns(id, whole).filter(({ backing }) => backing === "handler").map(turnLog);
    const logs = store.logs(id, whole).map(logEntry);
    const direction = query.order === "asc" ? 1 : -1;
    return [...turns, ...logs].sort((x, y) => direction * (Number(x["seq"]) - Number(y["seq"])))
      .slice(query.offset, query.offset + query.limit);
  },
};

function data(definition: unknown): Json {
  return definition as Json;
}

/** A handler's turn as a row of the log. */
export function turnLog(turn: TurnRow): { readonly [key: string]: Json } {
  return {
    id: turn.id,
    seq: turn.seq,
    message_id: turn.messageId,
    kind: "handler_execution",
    provider: "system",
    model: turn.name,
    endpoint: "handler.execute",
    is_complete: turn.state !== "running",
    latency_ms: turn.endedAt === null ? null : (turn.endedAt - turn.startedAt) / 1000,
    error: turn.error?.message ?? null,
    error_type: turn.error?.type ?? null,
    error_origin: turn.error?.origin ?? null,
    created_at: turn.startedAt,
  };
}

/** Another row of the log; a model request has no kind. */
export function logEntry(log: LogRow): { readonly [key: string]: Json } {
  return {
    ...JSON.parse(log.data),
    id: log.id,
    seq: log.seq,
    message_id: log.messageId,
    kind: log.kind === "model_request" ? null : log.kind,
    name: log.name,
    is_complete: log.complete,
    latency_ms: log.latencyMs,
    error: log.error?.message ?? null,
    error_type: log.error?.type ?? null,
    error_origin: log.error?.origin ?? null,
    created_at: log.createdAt,
  };
}
