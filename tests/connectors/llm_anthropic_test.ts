import assert from "node:assert/strict";
import { type FakeAnthropic, startFakeAnthropic } from "../fakes/anthropic.ts";
import { type CallResult, errorOf, type RunningConnector, startConnector, until } from "./harness.ts";

const KEY = "sk-ant-test-77";
const HELLO = { messages: [{ role: "user", content: "Say hello" }] };
const SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["positive"],
  properties: { positive: { type: "boolean" } },
};

interface Bench {
  readonly fake: FakeAnthropic;
  readonly connector: RunningConnector;
  complete(input: object, signal?: AbortSignal): Promise<CallResult>;
}

async function withBench(env: Readonly<Record<string, string>>, run: (bench: Bench) => Promise<void>) {
  const fake = await startFakeAnthropic({ key: KEY });
  const connector = await startConnector({
    entry: "connectors/llm-anthropic/main.ts",
    env: {
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: fake.origin,
      ANTHROPIC_MODEL: "claude-test-1",
      ...env,
    },
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

Deno.test("llm-anthropic: an answer comes whole, with its model and all its tokens", () =>
  withBench({}, async ({ fake, connector, complete }) => {
    assert.deepEqual(await connector.list(), ["llm_complete"]);
    const result = await complete({ ...HELLO, system: "Be kind.", maxTokens: 20, temperature: 1.5 });
    assert.deepEqual(result.structuredContent, {
      text: "Hello.",
      model: "claude-test-1",
      stop: "end",
      usage: { inputTokens: 13, outputTokens: 15 },
    });
    assert.deepEqual(result._meta?.["handler/units"], { inputTokens: 13, outputTokens: 15 });
    assert.deepEqual(fake.asked[0], {
      model: "claude-test-1",
      messages: HELLO.messages,
      max_tokens: 20,
      stream: true,
      system: "Be kind.",
      temperature: 1,
    });
    assert.equal(fake.requests[0]?.headers["anthropic-version"], "2023-06-01");
  }));

Deno.test("llm-anthropic: the vendor's reasons to stop become the interface's", () =>
  withBench({}, async ({ fake, complete }) => {
    const seen: unknown[] = [];
    for (const stop of ["end_turn", "max_tokens", "stop_sequence", "refusal", "tool_use", "pause_turn"]) {
      fake.behave({ kind: "reply", text: "Well", stop });
      seen.push((await complete(HELLO)).structuredContent?.["stop"]);
    }
    assert.deepEqual(seen, ["end", "length", "stop_sequence", "refused", "other", "other"]);
    fake.behave({ kind: "reply", text: "", stop: "refusal" });
    assert.equal(errorOf(await complete(HELLO)).error, "refused");
  }));

Deno.test("llm-anthropic: a schema becomes a tool that the model must call", () =>
  withBench({}, async ({ fake, complete }) => {
    fake.behave({ kind: "tool", json: '{ "positive": false }', stop: "tool_use" });
    const asked = { ...HELLO, schema: JSON.stringify(SCHEMA) };
    const answer = (await complete(asked)).structuredContent;
    assert.deepEqual([answer?.["json"], answer?.["stop"]], ['{"positive":false}', "end"]);
    assert.deepEqual(fake.asked[0]?.["tool_choice"], { type: "tool", name: "answer" });
    const [tool] = fake.asked[0]?.["tools"] as { input_schema: unknown }[];
    assert.deepEqual(tool?.input_schema, SCHEMA);

    for (const json of ['{"positive"', '{"positive":1}', ""]) {
      fake.behave({ kind: "tool", json, stop: "tool_use" });
      assert.equal(errorOf(await complete(asked)).error, "unavailable");
    }
    fake.behave({ kind: "tool", json: '{"positi', stop: "max_tokens" });
    assert.equal((await complete(asked)).structuredContent?.["stop"], "length");
  }));

Deno.test("llm-anthropic: an answer that is no object travels in one", () =>
  withBench({}, async ({ fake, complete }) => {
    fake.behave({ kind: "tool", json: '{"value":["a","b"]}', stop: "tool_use" });
    const $defs = { word: { type: "string" } };
    const schema = JSON.stringify({ type: "array", items: { $ref: "#/$defs/word" }, $defs });
    assert.equal((await complete({ ...HELLO, schema })).structuredContent?.["json"], '["a","b"]');
    const [tool] = fake.asked[0]?.["tools"] as { input_schema: unknown }[];
    assert.deepEqual(tool?.input_schema, {
      type: "object",
      additionalProperties: false,
      required: ["value"],
      properties: { value: { type: "array", items: { $ref: "#/$defs/word" } } },
      $defs,
    });
    const wrong = errorOf(await complete({ ...HELLO, schema: "{" }));
    assert.equal(wrong.error, "invalid_input");
    assert.match(wrong.message, /not a JSON Schema/);
  }));

Deno.test("llm-anthropic: every failure of the vendor is unavailable or a limit, in the middle of a stream too", () =>
  withBench({}, async ({ fake, complete }) => {
    const statuses = [[429, "rate_limit_error"], [500, "api_error"], [529, "overloaded_error"], [
      413,
      "request_too_large",
    ]] as const;
    for (const [status, type] of statuses) {
      fake.behave({ kind: "status", status, type, message: "the prompt was: Say hello" });
      const { error, message } = errorOf(await complete(HELLO));
      assert.equal(error, status === 413 ? "limit" : "unavailable");
      assert.doesNotMatch(message, /Say hello/);
    }
    fake.behave({
      kind: "status",
      status: 400,
      type: "invalid_request_error",
      message: "prompt is too long: 210000 tokens",
    });
    const long = errorOf(await complete(HELLO));
    assert.equal(long.error, "limit");
    assert.match(long.message, /longer than the model takes/);
    for (const kind of ["error-in-stream", "cut"] as const) {
      fake.behave({ kind, text: "half of it" });
      assert.equal(errorOf(await complete(HELLO)).error, "unavailable");
    }
    assert.match(errorOf(await complete({ ...HELLO, model: "no-such" })).message, /no model of that name/);
  }));

Deno.test("llm-anthropic: a refused key is told to the person and not shown", () =>
  withBench({ ANTHROPIC_API_KEY: "sk-ant-wrong-3" }, async ({ connector, complete }) => {
    assert.equal(errorOf(await complete(HELLO)).error, "unavailable");
    assert.match(connector.log(), /authentication_error[^]*api_key was refused/);
    assert.doesNotMatch(connector.log(), /sk-ant-wrong-3/);
  }));

Deno.test("llm-anthropic: a cancel ends the vendor's stream at once", () =>
  withBench({}, async ({ fake, complete }) => {
    fake.behave({ kind: "slow", text: "a long answer", ms: 60_000 });
    const stop = new AbortController();
    const call = complete(HELLO, stop.signal);
    await until(() => fake.requests.length === 1, "the request");
    stop.abort(new Error("enough"));
    await assert.rejects(call, /enough/);
    await until(() => fake.requests[0]?.aborted === true, "the vendor's side to see the end");
  }));

Deno.test("llm-anthropic: who asks for pieces gets them while the answer is made; with a schema there are none", () =>
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
