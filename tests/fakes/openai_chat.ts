/**
 * A local server that speaks OpenAI's chat completions protocol, streaming: `POST /v1/chat/completions` with server-sent
 * chunks, a usage chunk when asked, `[DONE]`, and the vendor's error bodies; `GET /v1/models`.
 * @module
 */
import { answerInSteps, type FakeRequest, type FakeServer, startFake, type StreamStep } from "./server.ts";

/** How the fake answers the next requests. */
export type ChatBehaviour =
  /** `finish` as the vendor names it: `stop`, `length`, `content_filter`, `tool_calls`; null for none at all. */
  | { readonly kind: "reply"; readonly text: string; readonly finish: string | null }
  /** As a model does: JSON where a schema is asked for, cut at a small `max_tokens`, else a sentence. */
  | { readonly kind: "model" }
  /** Half the text, a wait, the other half. */
  | { readonly kind: "slow"; readonly text: string; readonly ms: number }
  /** A structured-output refusal: `delta.refusal` in place of content. */
  | { readonly kind: "refusal"; readonly text: string }
  /** The first half of an answer, then an error in the stream. */
  | { readonly kind: "error-in-stream"; readonly text: string }
  /** The first half of an answer, then the connection breaks. */
  | { readonly kind: "cut"; readonly text: string }
  /** An event that is no JSON. */
  | { readonly kind: "garbage" }
  | { readonly kind: "status"; readonly status: number; readonly code: string; readonly message: string };

/** A running fake. */
export interface FakeOpenAiChat extends FakeServer {
  /** The bodies of the completions asked for. */
  readonly asked: readonly { readonly [key: string]: unknown }[];
  behave(next: ChatBehaviour): void;
}

interface State {
  readonly key: string;
  readonly models: readonly string[];
  readonly asked: { readonly [key: string]: unknown }[];
  behaviour: ChatBehaviour;
}

/** Starts the fake; an empty `key` lets everyone in, as local servers do. */
export async function startFakeOpenAiChat(
  options: { readonly key: string; readonly models: readonly string[] },
): Promise<FakeOpenAiChat> {
  const state: State = {
    ...options,
    asked: [],
    behaviour: { kind: "reply", text: "Hello.", finish: "stop" },
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
  if (state.key && request.headers.get("authorization") !== `Bearer ${state.key}`) {
    return failure(401, "invalid_api_key", "Incorrect API key provided: ****.");
  }
  if (request.method === "GET" && record.path === "/v1/models") {
    return Response.json({ object: "list", data: state.models.map((id) => ({ id, object: "model" })) });
  }
  if (request.method !== "POST" || record.path !== "/v1/chat/completions") {
    return failure(404, "unknown_url", `Invalid URL (${request.method} ${record.path})`);
  }
  const asked = JSON.parse(new TextDecoder().decode(body));
  state.asked.push(asked);
  if (!state.models.includes(asked.model)) {
    return failure(404, "model_not_found", `The model \`${asked.model}\` does not exist`);
  }
  const { behaviour } = state;
  if (behaviour.kind === "status") return failure(behaviour.status, behaviour.code, behaviour.message);
  const streamed = behaviour.kind === "model" ? asModel(asked) : behaviour;
  return answerInSteps(stream(streamed, asked), record, "text/event-stream; charset=utf-8");
}

function asModel(asked: { response_format?: unknown; max_tokens?: number }): Streamed {
  if (asked.response_format) return { kind: "reply", text: '{"positive": true}', finish: "stop" };
  if ((asked.max_tokens ?? 100) < 10) return { kind: "reply", text: "1\n2\n3", finish: "length" };
  return { kind: "reply", text: "The capital of France is Paris.", finish: "stop" };
}

type Streamed = Exclude<ChatBehaviour, { kind: "status" | "model" }>;

function* stream(
  behaviour: Streamed,
  asked: { model: string; stream_options?: { include_usage?: boolean } },
): Iterable<StreamStep> {
  const chunk = (delta: unknown, finish: string | null = null) =>
    event({ ...head(asked.model), choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
  yield chunk({ role: "assistant", content: "" });
  if (behaviour.kind === "garbage") return yield "data: {not json\n\n";
  if (behaviour.kind === "refusal") yield chunk({ refusal: behaviour.text });
  else yield* content(behaviour, (text) => chunk({ content: text }));
  if (behaviour.kind === "error-in-stream") {
    return yield event({
      error: { message: "The server had an error", type: "server_error", param: null, code: null },
    });
  }
  if (behaviour.kind === "cut") return yield "break";
  const finish = behaviour.kind === "reply" ? behaviour.finish : "stop";
  if (finish !== null) yield chunk({}, finish);
  if (asked.stream_options?.include_usage) {
    const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
    yield event({ ...head(asked.model), choices: [], usage });
  }
  yield "data: [DONE]\n\n";
}

function* content(
  behaviour: { text: string; kind: string; ms?: number },
  chunk: (text: string) => string,
): Iterable<StreamStep> {
  const half = Math.ceil(behaviour.text.length / 2);
  if (behaviour.text) yield chunk(behaviour.text.slice(0, half));
  if (behaviour.kind === "error-in-stream" || behaviour.kind === "cut") return;
  if (behaviour.ms) yield behaviour.ms;
  if (behaviour.text.length > 1) yield chunk(behaviour.text.slice(half));
}

function head(model: string) {
  return {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: `${model}-2024-08-06`,
  };
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function failure(status: number, code: string, message: string): Response {
  const type = status === 429 ? "rate_limit_error" : status >= 500 ? "server_error" : "invalid_request_error";
  return Response.json({ error: { message, type, param: null, code } }, { status });
}
