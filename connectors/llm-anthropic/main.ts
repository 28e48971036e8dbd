/**
 * `llm/v1` through Anthropic's Messages API. It always streams, so that a cancel ends the vendor's work at once; the
 * caller gets the whole answer, and on the way its pieces where it asked for them. A schema becomes a tool that the model
 * has to call.
 * @module
 */
import { type Call, required, serve, serverEvents } from "@handler/connector";
import { type Input, isWrapped, Reply, requestBody, stopOf } from "./messages.ts";
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

/** The version of the protocol, which the vendor asks for in each request. */
const VERSION = "2023-06-01";
/** A little under the interface's 120 s, so that the caller hears `unavailable` and not only that time ran out. */
const PATIENCE_MS = 115_000;

const endpoint = required("ANTHROPIC_BASE_URL").replace(/\/+$/, "");
const key = required("ANTHROPIC_API_KEY");
const ownModel = required("ANTHROPIC_MODEL");

serve<{ llm_complete: { input: Input; output: Output } }, Code>({
  async llm_complete(input, call) {
    const schema = input.schema === undefined ? undefined : readSchema(input.schema);
    if (input.schema !== undefined && !schema) {
      return call.fail("invalid_input", "the schema is not a JSON Schema");
    }
    const model = input.model ?? ownModel;
    const response = await send(requestBody(input, model, schema), call);
    if (!response.ok) return await refuse(response, call);
    const reply = await read(response, schema !== undefined, call);
    call.units(reply.usage);
    return finish(reply, reply.model || model, schema, call);
  },
});

async function send(body: object, call: Call<Code>): Promise<Response> {
  try {
    return await fetch(`${endpoint}/v1/messages`, {
      method: "POST",
      redirect: "error",
      headers: {
        "content-type": "application/json",
        "x-api-key": key,
        "anthropic-version": VERSION,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any([call.signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
  } catch (error) {
    return interrupted(error, call);
  }
}

async function read(
  response: Response,
  asJson: boolean,
  call: Call<Code>,
): Promise<Reply> {
  const reply = new Reply();
  try {
    let events = 0, told = 0;
    for await (
      const { data } of serverEvents(response.body ?? new ReadableStream())
    ) {
      reply.take(JSON.parse(data));
      if (reply.failed || reply.complete) break;
      if (asJson) {
        if (++events % 16 === 0) call.progress(events);
      } else {
        call.piece(reply.text.slice(told));
        told = reply.text.length;
      }
    }
  } catch (error) {
    return interrupted(error, call);
  }
  if (reply.failed) {
    call.log(`the stream ended with ${reply.failed}`);
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

function finish(
  reply: Reply,
  model: string,
  schema: object | undefined,
  call: Call<Code>,
): Output {
  const stop = stopOf(reply);
  const text = reply.text || reply.toolInput;
  if (stop === "refused" && text === "") {
    return call.fail("refused", "the model declined to answer");
  }
  const answer = { text, model, stop, usage: reply.usage };
  if (schema === undefined || stop === "refused" || stop === "length") {
    return answer;
  }
  const json = fittingJson(reply.answerJson(isWrapped(schema)), schema);
  if (json === undefined) {
    return call.fail("unavailable", "the model did not keep to the schema");
  }
  return { ...answer, text: json, json };
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
  const { type, message } = (await response.json().catch(() => undefined))?.error ?? {};
  call.log(
    `HTTP ${response.status} ${/^\w{1,60}$/.test(type) ? type : ""}`.trim(),
  );
  if (response.status === 401 || response.status === 403) {
    call.log("the key in the slot api_key was refused: see PROVISIONING.md");
    return call.fail("unavailable", "the service refused its credential");
  }
  if (response.status === 413 || /too long|context window/i.test(message)) {
    return call.fail(
      "limit",
      "the conversation is longer than the model takes",
    );
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
  if (response.status === 529) {
    return call.fail("unavailable", "the service is overloaded");
  }
  return call.fail(
    "unavailable",
    `the service answered with HTTP ${response.status}`,
  );
}
