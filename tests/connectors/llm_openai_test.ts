import assert from "node:assert/strict";
import { type FakeOpenAiChat, startFakeOpenAiChat } from "../fakes/openai_chat.ts";
import { type CallResult, errorOf, type RunningConnector, startConnector, until } from "./harness.ts";

const KEY = "sk-test-19ab";
const MODELS = ["small-1"];
const HELLO = { messages: [{ role: "user", content: "Say hello" }] };
const SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["positive"],
  properties: { positive: { type: "boolean" } },
};

interface Bench {
  readonly fake: FakeOpenAiChat;
  readonly connector: RunningConnector;
  complete(input: object, signal?: AbortSignal): Promise<CallResult>;
}

interface Setup {
  readonly env?: Readonly<Record<string, string>>;
  readonly models?: readonly string[];
  readonly key?: string;
}

async function withBench(
  { env = {}, models = MODELS, key = KEY }: Setup,
  run: (bench: Bench) => Promise<void>,
) {
  const fake = await startFakeOpenAiChat({ key, models });
  const connector = await startConnector({
    entry: "connectors/llm-openai/main.ts",
    env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${fake.origin}/v1`, OPENAI_MODEL: "small-1", ...env },
    net: [`127.0.0.1:${fake.port}`],
  });
  const complete: Bench["complete"] = (input, signal) =>
    connector.call("llm_complete", input, signal ? { signal } : {});
  try {
    await run({ fake, connector, complete });
  } finally {
    await connector.stop();
    await fake.close();
  }
}

Deno.test("llm-openai: an answer comes whole, with its model and its tokens", () =>
  withBench({}, async ({ fake, connector, complete }) => {
    assert.deepEqual(await connector.list(), ["llm_complete"]);
    const result = await complete({ ...HELLO, system: "Be kind.", maxTokens: 20, temperature: 0 });
    assert.deepEqual(result.structuredContent, {
      text: "Hello.",
      model: "small-1-2024-08-06",
      stop: "end",
      usage: { inputTokens: 11, outputTokens: 7 },
    });
    assert.deepEqual(result._meta?.["handler/units"], { inputTokens: 11, outputTokens: 7 });
    assert.deepEqual(fake.asked[0], {
      model: "small-1",
      messages: [{ role: "system", content: "Be kind." }, { role: "user", content: "Say hello" }],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 20,
      temperature: 0,
    });
  }));

Deno.test("llm-openai: the vendor's reasons to stop become the interface's", () =>
  withBench({}, async ({ fake, complete }) => {
    const seen: unknown[] = [];
    for (const finish of ["stop", "length", "content_filter", "tool_calls", null]) {
      fake.behave({ kind: "reply", text: "Well", finish });
      seen.push((await complete(HELLO)).structuredContent?.["stop"]);
    }
    assert.deepEqual(seen, ["end", "length", "refused", "other", "other"]);
  }));

Deno.test("llm-openai: a schema is sent on, and the answer comes as JSON that fits it", () =>
  withBench({}, async ({ fake, complete }) => {
    fake.behave({ kind: "reply", text: '{ "positive": true }', finish: "stop" });
    const asked = { ...HELLO, schema: JSON.stringify(SCHEMA) };
    const answer = (await complete(asked)).structuredContent;
    assert.equal(answer?.["json"], '{"positive":true}');
    assert.equal(answer?.["text"], '{ "positive": true }');
    const format = { type: "json_schema", json_schema: { name: "answer", strict: true, schema: SCHEMA } };
    assert.deepEqual(fake.asked[0]?.["response_format"], format);

    for (const text of ["not json", '{"positive":"yes"}', '{"positive":true,"more":1}', ""]) {
      fake.behave({ kind: "reply", text, finish: "stop" });
      assert.equal(errorOf(await complete(asked)).error, "unavailable");
    }
    fake.behave({ kind: "reply", text: '{"positi', finish: "length" });
    const cut = (await complete(asked)).structuredContent;
    assert.deepEqual([cut?.["stop"], cut?.["json"]], ["length", undefined]);
  }));

Deno.test("llm-openai: a loose schema is not sent as a strict one; what is no schema is not sent", () =>
  withBench({}, async ({ fake, complete }) => {
    fake.behave({ kind: "reply", text: '{"a":1}', finish: "stop" });
    const loose = { type: "object", properties: { a: { type: "integer" } } };
    assert.equal(
      (await complete({ ...HELLO, schema: JSON.stringify(loose) })).structuredContent?.["json"],
      '{"a":1}',
    );
    assert.equal(
      (fake.asked[0] as { response_format: { json_schema: { strict: boolean } } }).response_format.json_schema
        .strict,
      false,
    );
    for (const schema of ["{", "[]", "true", "null"]) {
      assert.match(errorOf(await complete({ ...HELLO, schema })).message, /not a JSON Schema/);
    }
    assert.equal(fake.asked.length, 1);
  }));

Deno.test("llm-openai: a refusal is an answer where it has words, an error where it has none", () =>
  withBench({}, async ({ fake, complete }) => {
    fake.behave({ kind: "refusal", text: "I cannot help with that." });
    const answer = (await complete(HELLO)).structuredContent;
    assert.deepEqual([answer?.["text"], answer?.["stop"]], ["I cannot help with that.", "refused"]);
    fake.behave({ kind: "reply", text: "", finish: "content_filter" });
    assert.equal(errorOf(await complete(HELLO)).error, "refused");
    fake.behave({
      kind: "status",
      status: 400,
      code: "content_policy_violation",
      message: "flagged: secret words",
    });
    const { error, message } = errorOf(await complete(HELLO));
    assert.equal(error, "refused");
    assert.doesNotMatch(message, /secret words/);
  }));

Deno.test("llm-openai: every failure of the vendor is unavailable or a limit, in the middle of a stream too", () =>
  withBench({}, async ({ fake, complete }) => {
    const statuses = [[429, "insufficient_quota"], [500, ""], [503, ""], [
      400,
      "context_length_exceeded",
    ]] as const;
    for (const [status, code] of statuses) {
      fake.behave({ kind: "status", status, code, message: "the prompt was: Say hello" });
      const { error, message } = errorOf(await complete(HELLO));
      assert.equal(error, status === 400 ? "limit" : "unavailable");
      assert.doesNotMatch(message, /Say hello/);
    }
    for (const kind of ["error-in-stream", "cut"] as const) {
      fake.behave({ kind, text: "half of it" });
      assert.equal(errorOf(await complete(HELLO)).error, "unavailable");
    }
    fake.behave({ kind: "garbage" });
    assert.equal(errorOf(await complete(HELLO)).error, "unavailable");
    assert.match(errorOf(await complete({ ...HELLO, model: "no-such" })).message, /no model of that name/);
  }));

Deno.test("llm-openai: a refused key is told to the person and not shown", () =>
  withBench({ env: { OPENAI_API_KEY: "sk-wrong-8d" } }, async ({ connector, complete }) => {
    assert.equal(errorOf(await complete(HELLO)).error, "unavailable");
    assert.match(connector.log(), /api_key was refused/);
    assert.doesNotMatch(connector.log(), /sk-wrong-8d/);
  }));

Deno.test("llm-openai: a local server with one model needs neither key nor model; with several it needs a choice", async () => {
  const env = { OPENAI_API_KEY: "", OPENAI_MODEL: "" };
  await withBench({ env, key: "", models: ["only-1"] }, async ({ fake, complete }) => {
    assert.equal((await complete(HELLO)).structuredContent?.["text"], "Hello.");
    assert.equal(fake.asked[0]?.["model"], "only-1");
  });
  await withBench({ env, key: "", models: ["a", "b"] }, async ({ connector, complete }) => {
    assert.match(errorOf(await complete(HELLO)).message, /no model is chosen/);
    assert.match(connector.log(), /setting `model` must name one/);
  });
});

Deno.test("llm-openai: a cancel ends the vendor's stream at once", () =>
  withBench({}, async ({ fake, complete }) => {
    fake.behave({ kind: "slow", text: "a long answer", ms: 60_000 });
    const stop = new AbortController();
    const call = complete(HELLO, stop.signal);
    await until(() => fake.requests.length === 1, "the request");
    stop.abort(new Error("enough"));
    await assert.rejects(call, /enough/);
    await until(() => fake.requests[0]?.aborted === true, "the vendor's side to see the end");
    fake.behave({ kind: "reply", text: "Still here.", finish: "stop" });
    assert.equal((await complete(HELLO)).structuredContent?.["text"], "Still here.");
  }));

Deno.test("llm-openai: who asks for pieces gets them while the answer is made; with a schema there are none", () =>
  withBench({}, async ({ fake, connector }) => {
    const notes: unknown[] = [];
    const call = (input: object) =>
      connector.call("llm_complete", input, {
        onProgress: (note) => notes.push(note["message"]),
        inPieces: true,
      });
    fake.behave({ kind: "slow", text: "a long answer", ms: 300 });
    const answer = call(HELLO);
    await until(() => notes.length === 1, "the first piece");
    assert.equal((await answer).structuredContent?.["text"], "a long answer");
    assert.deepEqual(notes.splice(0), ["a long ", "answer"]);
    fake.behave({ kind: "model" });
    assert.ok((await call({ ...HELLO, schema: JSON.stringify(SCHEMA) })).structuredContent?.["json"]);
    assert.deepEqual(notes.filter((message) => message !== undefined), []);
  }));
