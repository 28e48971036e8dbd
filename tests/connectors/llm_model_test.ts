import assert from "node:assert/strict";
import { findModelServer, startSmallModel } from "../../demo/model.ts";
import { startFakeOpenAiChat } from "../fakes/openai_chat.ts";
import { startConnector } from "./harness.ts";

Deno.test("model: the small model answers through llm-openai where it has been fetched, and is none where not", async () => {
  const small = await startSmallModel();
  if (!small) return await assertNotFetched();
  const connector = await startConnector({
    entry: "connectors/llm-openai/main.ts",
    env: { OPENAI_BASE_URL: small.endpoint },
    net: [new URL(small.endpoint).host],
  });
  try {
    const messages = [{ role: "user", content: "Say hello." }];
    const answer =
      (await connector.call("llm_complete", { messages, maxTokens: 8, temperature: 0 })).structuredContent;
    assert.match(String(answer?.["text"]), /\S/);
    assert.equal(answer?.["model"], small.model);
    const { inputTokens, outputTokens } = answer?.["usage"] as { inputTokens: number; outputTokens: number };
    assert.ok(inputTokens > 5 && outputTokens > 0 && outputTokens <= 8);

    const schema = JSON.stringify({
      type: "object",
      additionalProperties: false,
      required: ["positive"],
      properties: { positive: { type: "boolean" } },
    });
    const review = [{ role: "user", content: "Is this review positive? 'I love this lamp.'" }];
    const shaped = await connector.call("llm_complete", {
      messages: review,
      schema,
      maxTokens: 32,
      temperature: 0,
    });
    const json = JSON.parse(String(shaped.structuredContent?.["json"]));
    assert.deepEqual(json, { positive: Boolean(json.positive) });

    const counting = [{ role: "user", content: "Count from 1 to 200, a number a line." }];
    const stop = new AbortController();
    const long = connector.call("llm_complete", { messages: counting, maxTokens: 400 }, {
      signal: stop.signal,
      inPieces: true,
      onProgress: () => stop.abort(new Error("enough")),
    });
    await assert.rejects(long, /enough/);
    await untilAnswered(() => connector.call("llm_complete", { messages, maxTokens: 2, temperature: 0 }));
  } finally {
    await connector.stop();
    await small.close();
  }
});

/** The engine is free again soon after a cancel: it looks for one between two tokens. */
async function untilAnswered(ask: () => Promise<{ isError?: boolean | undefined }>): Promise<void> {
  let answer = await ask();
  for (let tries = 0; answer.isError && tries < 120; tries++) {
    await new Promise((later) => setTimeout(later, 500));
    answer = await ask();
  }
  assert.equal(answer.isError, undefined, "the engine is free again after a cancel");
}

async function assertNotFetched(): Promise<void> {
  const { MODEL_FILES, modelFolder } = await import("../../demo/model.ts");
  await assert.rejects(Deno.stat(`${modelFolder()}/${MODEL_FILES.server}`), Deno.errors.NotFound);
}

Deno.test("model: a server that a person names is found where it answers", async () => {
  const fake = await startFakeOpenAiChat({ key: "", models: ["mine-1", "mine-2"] });
  const before = { endpoint: Deno.env.get("HANDLER_MODEL_ENDPOINT"), model: Deno.env.get("HANDLER_MODEL") };
  try {
    Deno.env.delete("HANDLER_MODEL_ENDPOINT");
    Deno.env.delete("HANDLER_MODEL");
    assert.equal(await findModelServer(), undefined);
    Deno.env.set("HANDLER_MODEL_ENDPOINT", `${fake.origin}/v1/`);
    assert.deepEqual(await findModelServer(), { endpoint: `${fake.origin}/v1`, model: "mine-1" });
    Deno.env.set("HANDLER_MODEL", "mine-2");
    assert.equal((await findModelServer())?.model, "mine-2");
    await fake.close();
    assert.equal(await findModelServer(), undefined);
  } finally {
    if (before.endpoint) Deno.env.set("HANDLER_MODEL_ENDPOINT", before.endpoint);
    else Deno.env.delete("HANDLER_MODEL_ENDPOINT");
    if (before.model) Deno.env.set("HANDLER_MODEL", before.model);
    else Deno.env.delete("HANDLER_MODEL");
  }
});
