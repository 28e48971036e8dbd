/**
 * `llm/v1` through an OpenAI chat completions endpoint. It always streams, so that a cancel ends the vendor's work at
 * once; the caller gets the whole answer, and on the way its pieces where it asked for them.
 * @module
 */
import { type Call, required, serve, serverEvents, setting } from "@handler/connector";
import { type Input, Reply, requestBody, stopOf } from "./chat.ts";
import { fittingJson, readSchema } from "./schema.ts";

type Code = "refused" | "unavailable";

interface Output {
  readonly text: string;
  readonly json?: string;
  readonly model: string;
  readonly stop: string;
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
  };
}

/** A little under the interface's 120 s, so that the caller hears `unavailable` and not only that time ran out. */
const PATIENCE_MS = 115_000;

const endpoint = required("OPENAI_BASE_URL").replace(/\/+$/, "");
const key = setting("OPENAI_API_KEY");
const ownModel = setting("OPENAI_MODEL");

serve<{ llm_complete: { input: Input; output: Output } }, Code>({
  async llm_complete(input, call) {
    const schema = input.schema === undefined ? undefined : readSchema(input.schema);
    if (input.schema !== undefined && !schema) {
      return call.fail("invalid_input", "the schema is not a JSON Schema");
    }
    const model = input.model ?? ownModel ?? await onlyModel(call);
    const body = requestBody(input, model, schema, new URL(endpoint).hostname);
    const response = await send("/chat/completions", body, call);
    if (!response.ok) return await refuse(response, call);
    const reply = await read(response, schema !== undefined, call);
    call.units(reply.usage);
    return finish(reply, reply.model || model, schema, call);
  },
});

async function send(
  path: string,
  body: unknown,
  call: Call<Code>,
): Promise<Response> {
  try {
    return await fetch(endpoint + path, {
      method: body === undefined ? "GET" : "POST",
      redirect: "error",
      headers: {
        "content-type": "application/json",
        ...(key ? { authorization: `Bearer ${key}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([call.signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
  } catch (error) {
    return interrupted(error, call);
  }
}

/** The one model that the server has; with several, a person has to choose. */
async function onlyModel(call: Call<Code>): Promise<string> {
  const response = await send("/models", undefined, call);
  const list = await response.json().catch(() => undefined);
  const [only, ...others] = Array.isArray(list?.data) ? list.data : [];
  if (typeof only?.id === "string" && others.length === 0) return only.id;
  call.log(
    "the server has several models or lists none: the binding's setting `model` must name one",
  );
  return call.fail("unavailable", "no model is chosen for this service");
}

async function read(
  response: Response,
  asJson: boolean,
  call: Call<Code>,
): Promise<Reply> {
  const reply = new Reply();
  try {
    if (!response.headers.get("content-type")?.includes("event-stream")) {
      reply.take(await response.json());
    } else await readStream(response, reply, asJson, call);
  } catch (error) {
    return interrupted(error, call);
  }
  if (reply.failed) {
    return call.fail(
      "unavailable",
      "the service reported an error in the middle of its answer",
    );
  }
  if (!reply.complete) {
    return call.fail("unavailable", "the service's answer was cut off");
  }
  return reply;
}

async function readStream(
  response: Response,
  reply: Reply,
  asJson: boolean,
  call: Call<Code>,
): Promise<void> {
  let events = 0, told = 0;
  for await (
    const { data } of serverEvents(response.body ?? new ReadableStream())
  ) {
    if (data === "[DONE]") return reply.end();
    reply.take(JSON.parse(data));
    if (reply.failed) return;
    if (asJson) {
      if (++events % 16 === 0) call.progress(events);
    } else {
      call.piece(reply.text.slice(told));
      told = reply.text.length;
    }
  }
}

function finish(
  reply: Reply,
  model: string,
  schema: object | undefined,
  call: Call<Code>,
): Output {
  const stop = stopOf(reply);
  const text = reply.text || reply.refusal;
  if (stop === "refused" && text === "") {
    return call.fail("refused", "the model declined to answer");
  }
  const answer = { text, model, stop, usage: reply.usage };
  if (schema === undefined || stop === "refused" || stop === "length") {
    return answer;
  }
  const json = fittingJson(text, schema);
  if (json === undefined) {
    return call.fail("unavailable", "the model did not keep to the schema");
  }
  return { ...answer, json };
}

/** What ended the exchange: the caller, or the vendor's side. */
function interrupted(error: unknown, call: Call<Code>): never {
  call.signal.throwIfAborted();
  call.log(
    `the exchange with ${new URL(endpoint).host} failed: ${error instanceof Error ? error.message : error}`,
  );
  return call.fail(
    "unavailable",
    "the service did not answer, or stopped in the middle",
  );
}

/** The vendor's errors as the interface's; its own words go nowhere, they may repeat the conversation. */
async function refuse(response: Response, call: Call<Code>): Promise<never> {
  const error = (await response.json().catch(() => undefined))?.error;
  const code = typeof error?.code === "string" && /^\w{1,60}$/.test(error.code) ? error.code : "";
  call.log(`HTTP ${response.status} ${code}`.trim());
  if (/^content_(filter|policy_violation)$/.test(code)) {
    return call.fail(
      "refused",
      "the provider's content rules refused the request",
    );
  }
  if (response.status === 413 || code === "context_length_exceeded") {
    return call.fail(
      "limit",
      "the conversation is longer than the model takes",
    );
  }
  if (response.status === 401 || response.status === 403) {
    call.log(
      "the key in the slot api_key was refused or is missing: see PROVISIONING.md",
    );
    return call.fail("unavailable", "the service refused its credential");
  }
  if (response.status === 404) {
    return call.fail("unavailable", "the service has no model of that name");
  }
  if (response.status === 429) {
    return call.fail(
      "unavailable",
      "the service is out of quota, or asked too often",
    );
  }
  return call.fail(
    "unavailable",
    `the service answered with HTTP ${response.status}`,
  );
}
