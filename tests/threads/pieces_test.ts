import assert from "node:assert/strict";
import { startFakeAnthropic } from "../fakes/anthropic.ts";
import { startFakeOpenAiChat } from "../fakes/openai_chat.ts";
import type { WatchEvent } from "../../src/threads/mod.ts";
import { layHome } from "../system/home.ts";
import { until } from "../system/wait.ts";
import { agent, prompt } from "./definitions.ts";
import type { FakeAnswer } from "./fake_model.ts";
import { Harness } from "./harness.ts";

const PROMPTED = {
  "prompts/it.ts": prompt("it", ""),
  "agents/it.ts": agent("it", `{ prompt: "it" }`, "{ human: true }"),
};
const WITH_TOOL = {
  ...PROMPTED,
  "prompts/it.ts": prompt("it", `tools: ["look"],`),
  "tools/look.ts":
    `export default defineTool({ description: "looks", execute: async () => ({ status: "success", result: "x" }) });`,
};

/** What is told of the moment in a thread, and the ids of the messages that came. */
function watched(bench: Pick<Harness, "threads">, thread: string) {
  const told: Record<string, unknown>[] = [];
  const events: WatchEvent[] = [];
  const stop = new AbortController();
  const over = (async () => {
    for await (const event of bench.threads.watch(thread, 0, stop.signal)) {
      events.push(event);
      if (event.event === "delta") told.push(event.data as Record<string, unknown>);
    }
  })();
  return {
    told,
    events,
    words: () =>
      told.map(({ type, at, text }) => [type, ...at === undefined ? [] : [at], ...text ? [text] : []]),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await over;
    },
  };
}

Deno.test("pieces of an answer are told under the id that its message gets, and are stored nowhere", async () => {
  await using bench = await Harness.open({ files: PROMPTED });
  bench.model.answer = async (_request, _count, piece) => {
    piece({ at: 0, text: "Good " });
    await new Promise((resolve) => setTimeout(resolve, 10));
    piece({ at: 5, text: "morning" });
    await new Promise((resolve) => setTimeout(resolve, 10));
    return "Good morning";
  };
  const thread = await bench.create("it");
  await using watch = watched(bench, thread);
  await bench.send(thread, "hello");
  await bench.idle();
  const said = bench.messages(thread).at(-1)!;
  await until(
    "the message",
    () =>
      watch.events.some((one) =>
        one.event === "change" && one.change.kind === "message" && one.change.row.id === said.id
      ),
  );
  assert.deepEqual(watch.words(), [["piece", 0, "Good "], ["piece", 5, "morning"], ["text", "Good morning"]]);
  const { prompt, depth, turn, message } = watch.told[0]!;
  assert.deepEqual([prompt, depth, turn, message], ["it", 0, bench.turns(thread)[0]!.id, said.id]);
  const [log] = bench.threads.logs(thread, { limit: 9, offset: 0, order: "asc" });
  assert.equal(typeof JSON.parse(log!.data).time_to_first_token_ms, "number");
});

Deno.test("who begins to watch in the middle has the beginning, and none is left when the answer is there", async () => {
  await using bench = await Harness.open({ files: PROMPTED });
  const { promise: go, resolve } = Promise.withResolvers<void>();
  bench.model.answer = async (_request, _count, piece) => {
    piece({ at: 0, text: "Good " });
    piece({ at: 5, text: "morn" });
    await go;
    piece({ at: 9, text: "ing" });
    return "Good morning";
  };
  const thread = await bench.create("it");
  await bench.send(thread, "hello");
  await until("the model", () => bench.model.requests.length === 1);
  await using late = watched(bench, thread);
  await until("the beginning", () => late.told.length > 0);
  resolve();
  await bench.idle();
  await until("all", () => late.words().at(-1)?.[0] === "text");
  assert.deepEqual(late.words()[0], ["piece", 0, "Good morn"]);
  await using after = watched(bench, thread);
  await until("the rows", () => after.events.length > 2);
  assert.deepEqual(after.told, []);
});

Deno.test("an answer that another provider begins anew, that is stopped, or that fails is void", async () => {
  await using bench = await Harness.open({ files: PROMPTED });
  bench.model.answer = (_request, count, piece): FakeAnswer | Promise<FakeAnswer> => {
    piece({ at: 0, text: "Half" });
    if (count === 1) {
      piece({ at: 0, text: "" });
      piece({ at: 0, text: "Whole" });
      return "Whole";
    }
    if (count === 2) return new Promise(() => {});
    throw new Error("the line broke");
  };
  const thread = await bench.create("it");
  await using watch = watched(bench, thread);
  await bench.send(thread, "first");
  await bench.idle();
  const again = [["piece", 0, "Half"], ["void"], ["piece", 0, "Whole"], ["text", "Whole"]];
  await until("the first answer", () => watch.told.length === 4);
  assert.deepEqual(watch.words(), again);
  await bench.send(thread, "second");
  await until("the second answer", () => watch.told.length === 5);
  await bench.threads.stop(thread);
  await until("the stop", () => watch.told.length === 6);
  await bench.threads.resume(thread);
  await bench.send(thread, "third");
  await bench.idle();
  await until("the failure", () => watch.told.length === 8);
  assert.deepEqual(watch.words().slice(4), [["piece", 0, "Half"], ["void"], ["piece", 0, "Half"], ["void"]]);
  assert.equal(new Set(watch.told.slice(4).map(({ message }) => message)).size, 2);
});

Deno.test("with tools the answer is data, and comes in no pieces", async () => {
  await using bench = await Harness.open({ files: WITH_TOOL });
  bench.model.answer = (_request, _count, piece) => {
    piece({ at: 0, text: "Half" });
    return "All of it";
  };
  const thread = await bench.create("it");
  await using watch = watched(bench, thread);
  await bench.send(thread, "hello");
  await bench.idle();
  await until("the answer", () => watch.told.length > 0);
  assert.deepEqual(watch.words(), [["text", "All of it"]]);
});

Deno.test("pieces come from a provider that is slow, over connector, router and daemon; another provider's are void", async () => {
  const openai = await startFakeOpenAiChat({ key: "", models: ["claude-1"] });
  const anthropic = await startFakeAnthropic({ key: "k" });
  const endpoint = (url: string) => `settings = { endpoint = "${url}"`;
  await using home = await layHome({
    files: {
      "bindings/first.toml":
        `connector = "llm-anthropic"\n${endpoint(anthropic.origin)}, model = "claude-1" }\n` +
        `secrets = { api_key = { env = "FAKE_KEY" } }\n`,
      "bindings/second.toml": `connector = "llm-openai"\n${endpoint(`${openai.origin}/v1`)} }\n`,
    },
  });
  home.env["FAKE_KEY"] = "k";
  await home.write(
    "projects/desk.toml",
    `path = "${home.work}"\nrequires = ["llm/v1"]\nservices = { llm = ["first", "second"] }\n`,
  );
  for (const [path, text] of Object.entries({ ...PROMPTED, "models/m.ts": MODEL })) {
    await Deno.mkdir(`${home.work}/agents/${path.split("/")[0]}`, { recursive: true });
    await Deno.writeTextFile(`${home.work}/agents/${path}`, text.replace(`model: "fake"`, `model: "m"`));
  }
  try {
    anthropic.behave({ kind: "error-in-stream", text: "Never said" });
    openai.behave({ kind: "slow", text: "Good morning", ms: 300 });
    await home.start();
    const made = { project: "desk", agent: "it", person: null, title: null, arguments: {}, env: {} };
    const { id } = await home.client.threadNew(made);
    const stop = new AbortController();
    const told: Record<string, unknown>[] = [];
    const over = (async () => {
      for await (const event of home.client.threadWatch(id, 0, stop.signal)) {
        if (event.event === "delta") told.push(event.data as Record<string, unknown>);
      }
    })();
    await home.client.threadSend(id, {
      content: "hello",
      side: undefined,
      metadata: undefined,
      attachments: [],
    });
    await until("the answer", () => told.at(-1)?.["type"] === "text");
    stop.abort();
    await over;
    const words = told.filter(({ type }) => type !== "progress").map((
      { type, at, text },
    ) => [type, at, text]);
    assert.deepEqual(words, [
      ["piece", 0, "Never"],
      ["void", undefined, undefined],
      ["piece", 0, "Good m"],
      ["piece", 6, "orning"],
      ["text", undefined, "Good morning"],
    ]);
  } finally {
    await openai.close();
    await anthropic.close();
  }
});

const MODEL = `export default defineModel({ name: "m", model: "claude-1" });\n`;
