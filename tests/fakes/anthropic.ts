/**
 * A local server that speaks Anthropic's Messages protocol, streaming: `POST /v1/messages` with an `x-api-key`, named
 * server-sent events, forced tool calls as `input_json_delta`, errors as a body or in the middle of a stream.
 * @module
 */
import { answerInSteps, type FakeRequest, type FakeServer, startFake, type StreamStep } from "./server.ts";

/** How the fake answers the next requests. */
export type MessagesBehaviour =
  /** `stop` as the vendor names it: `end_turn`, `max_tokens`, `stop_sequence`, `refusal`, … */
  | { readonly kind: "reply"; readonly text: string; readonly stop: string }
  /** A tool call whose input is this JSON text. */
  | { readonly kind: "tool"; readonly json: string; readonly stop: string }
  /** As a model does: a call of the tool that is forced, cut at a small `max_tokens`, else a sentence. */
  | { readonly kind: "model" }
  /** Half the text, a wait, the other half. */
  | { readonly kind: "slow"; readonly text: string; readonly ms: number }
  /** The first half of an answer, then an error event. */
  | { readonly kind: "error-in-stream"; readonly text: string }
  /** The first half of an answer, then the connection breaks. */
  | { readonly kind: "cut"; readonly text: string }
  | { readonly kind: "status"; readonly status: number; readonly type: string; readonly message: string };

/** A running fake. */
export interface FakeAnthropic extends FakeServer {
  /** The bodies of the messages asked for. */
  readonly asked: readonly { readonly [key: string]: unknown }[];
  behave(next: MessagesBehaviour): void;
}

interface State {
  readonly key: string;
  readonly asked: { readonly [key: string]: unknown }[];
  behaviour: MessagesBehaviour;
}

/** Starts the fake; `key` is the one key it lets in. */
export async function startFakeAnthropic(options: { readonly key: string }): Promise<FakeAnthropic> {
  const state: State = {
    ...options,
    asked: [],
    behaviour: { kind: "reply", text: "Hello.", stop: "end_turn" },
  };
  const server = await startFake({
    tlsNames: [],
    handle: (request, body, record) => handle(state, request, body, record),
  });
  return {
    ...server,
    asked: state.asked,
    behave: (next) => {
      state.behaviour = next;
    },
  };
}

function handle(state: State, request: Request, body: Uint8Array, record: FakeRequest): Response {
  if (request.method !== "POST" || record.path !== "/v1/messages") {
    return failure(404, "not_found_error", "Not found");
  }
  if (request.headers.get("x-api-key") !== state.key) {
    return failure(401, "authentication_error", "invalid x-api-key");
  }
  if (!request.headers.get("anthropic-version")) {
    return failure(400, "invalid_request_error", "anthropic-version: header is required");
  }
  const asked = JSON.parse(new TextDecoder().decode(body));
  if (!Number.isInteger(asked.max_tokens)) {
    return failure(400, "invalid_request_error", "max_tokens: Field required");
  }
  state.asked.push(asked);
  if (!String(asked.model).startsWith("claude-")) {
    return failure(404, "not_found_error", `model: ${asked.model}`);
  }
  const { behaviour } = state;
  if (behaviour.kind === "status") return failure(behaviour.status, behaviour.type, behaviour.message);
  const streamed = behaviour.kind === "model" ? asModel(asked) : behaviour;
  return answerInSteps(stream(streamed, asked.model), record, "text/event-stream; charset=utf-8");
}

function asModel(asked: { tool_choice?: unknown; max_tokens: number }): Streamed {
  if (asked.tool_choice) return { kind: "tool", json: '{"positive":true}', stop: "tool_use" };
  if (asked.max_tokens < 10) return { kind: "reply", text: "1\n2\n3", stop: "max_tokens" };
  return { kind: "reply", text: "The capital of France is Paris.", stop: "end_turn" };
}

type Streamed = Exclude<MessagesBehaviour, { kind: "status" | "model" }>;

function* stream(behaviour: Streamed, model: string): Iterable<StreamStep> {
  const usage = {
    input_tokens: 9,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 4,
    output_tokens: 1,
  };
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    usage,
  };
  yield event("message_start", { message });
  yield event("ping", {});
  yield* behaviour.kind === "tool" ? toolBlock(behaviour.json) : textBlock(behaviour);
  if (behaviour.kind === "error-in-stream") {
    return yield event("error", { error: { type: "overloaded_error", message: "Overloaded" } });
  }
  if (behaviour.kind === "cut") return yield "break";
  const stop_reason = behaviour.kind === "slow" ? "end_turn" : behaviour.stop;
  yield event("content_block_stop", { index: 0 });
  yield event("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 15 } });
  yield event("message_stop", {});
}

function* textBlock(behaviour: { kind: string; text: string; ms?: number }): Iterable<StreamStep> {
  const half = Math.ceil(behaviour.text.length / 2);
  const delta = (text: string) =>
    event("content_block_delta", { index: 0, delta: { type: "text_delta", text } });
  yield event("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
  yield delta(behaviour.text.slice(0, half));
  if (behaviour.kind === "error-in-stream" || behaviour.kind === "cut") return;
  if (behaviour.ms) yield behaviour.ms;
  yield delta(behaviour.text.slice(half));
}

function* toolBlock(json: string): Iterable<StreamStep> {
  const content_block = { type: "tool_use", id: "toolu_1", name: "answer", input: {} };
  yield event("content_block_start", { index: 0, content_block });
  for (const partial_json of ["", ...json.match(/[^]{1,5}/g) ?? []]) {
    yield event("content_block_delta", { index: 0, delta: { type: "input_json_delta", partial_json } });
  }
}

function event(type: string, rest: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
}

function failure(status: number, type: string, message: string): Response {
  return Response.json({ type: "error", error: { type, message }, request_id: "req_1" }, { status });
}
