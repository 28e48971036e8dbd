import { startFakeOpenAiChat } from "../tests/fakes/openai_chat.ts";
import { HandlerError, within } from "../src/base/mod.ts";
import type { Client, MessageRow, ThreadRow } from "../src/client/mod.ts";
import { ensureFolder, writeAtomic } from "../src/platform/mod.ts";
import type { DemoHome } from "./home.ts";
import type { DemoModel } from "./model_part.ts";
import { modelFile, RELAY_FILES } from "./relay_files.ts";
import type { Story } from "./story.ts";

const QUESTION = "What is the capital of France?";
const STAND_IN = "a stand-in for a model";
const ANSWER = "I am no model; a real one would say Paris.";
/** The small model may need its time on a busy machine. */
const ANSWER_MS = 120_000;
const PAGE = { limit: 50, offset: 0, order: "asc" } as const;

/** The relay: a thread without a model of its own, an assistant child, an answer that a tool carries out. */
export async function showThreads(
  story: Story,
  client: Client,
  home: DemoHome,
  model: DemoModel | undefined,
): Promise<void> {
  await using standIn = model ? undefined : await bindStandIn(client);
  await client.select("project", "desk", "llm", [standIn ? "llm-stand-in" : "llm-demo"]);
  await writeDefinitions(home.desk, model?.model ?? STAND_IN);
  const thread = await beginThread(story, client);
  await story.step(`handler thread send ${short(thread)} "${QUESTION}"; handler thread watch`, async () => {
    const answer = await askRelay(story, client, thread);
    const record = await requestsOf(client, thread);
    if (record.outer > 0) throw new HandlerError("internal", "the outer thread asked a model");
    return {
      lines: [
        `turns: ${record.turns.join(", ")}`,
        `requests to ${
          model?.model ?? `the model (${STAND_IN}, none is bound)`
        }: ${record.inner} by the child, ` +
        `${record.outer} by the outer thread`,
      ],
      data: { question: QUESTION, answer, model: model?.model ?? null, ...record },
    };
  });
}

async function bindStandIn(client: Client): Promise<AsyncDisposable> {
  const server = await startFakeOpenAiChat({ key: "", models: [STAND_IN] });
  server.behave({ kind: "reply", text: ANSWER, finish: "stop" });
  await client.bindingAdd({
    name: "llm-stand-in",
    connector: "llm-openai",
    description: `LLM: ${STAND_IN}`,
    settings: { endpoint: `${server.origin}/v1`, model: STAND_IN },
    secrets: {},
  });
  return { [Symbol.asyncDispose]: () => server.close() };
}

async function writeDefinitions(desk: string, model: string): Promise<void> {
  for (
    const [path, text] of Object.entries({
      ...RELAY_FILES,
      "agents/models/assistant_model.ts": modelFile(model),
    })
  ) {
    await ensureFolder(`${desk}/${path}`.replace(/\/[^/]+$/, ""), 0o755);
    await writeAtomic(`${desk}/${path}`, text, 0o644);
  }
}

async function beginThread(story: Story, client: Client): Promise<ThreadRow> {
  let made: ThreadRow | undefined;
  await story.step("handler threads check desk; handler thread new relay_agent --project desk", async () => {
    const { definitions, problems } = await client.threadsCheck("desk");
    const [wrong] = problems.filter(({ severity }) => severity === "error");
    if (wrong) throw new HandlerError("internal", `${wrong.where}: ${wrong.message}`);
    const began = performance.now();
    const nobody = { person: null, title: null, arguments: {}, env: {} };
    made = await client.threadNew({ project: "desk", agent: "relay_agent", ...nobody });
    const ms = Math.round(performance.now() - began);
    const { children } = await client.thread(made.id);
    return {
      lines: [
        `${definitions.length} definitions: ${
          definitions.map(({ kind, name }) => `${kind} ${name}`).join(", ")
        }`,
        `the thread ${made.id} after ${ms} ms, with its child: ${
          children.map(({ reference, relationship }) => `${relationship} ${reference}`).join(", ")
        }`,
      ],
      data: { thread: made.id, children },
    };
  });
  return made!;
}

/** Sends the question and shows what comes in the outer thread, until the answer is there. */
async function askRelay(story: Story, client: Client, { id, seq }: ThreadRow): Promise<string> {
  const stop = new AbortController();
  story.say("");
  await client.threadSend(id, { content: QUESTION, side: undefined, metadata: undefined, attachments: [] });
  const watching = async () => {
    for await (const event of client.threadWatch(id, seq, stop.signal)) {
      if (event.event !== "change") continue;
      const { change } = event;
      if (change.kind === "message") story.say(`   ${said(change.row)}`);
      if (change.kind === "message" && change.row.role === "assistant") return change.row.content ?? "";
      if (change.kind === "turn" && change.row.state === "failed") throw await turnFailure(client, id);
    }
    throw new HandlerError("internal", "the watch ended without an answer");
  };
  try {
    return await within(
      ANSWER_MS,
      "waiting for the relay's answer",
      Promise.race([watching(), childFailure(client, id, stop.signal)]),
    );
  } finally {
    stop.abort();
  }
}

function said({ role, content }: MessageRow): string {
  return `${role.padEnd(9)}  ${(content ?? "").replace(/\s+/g, " ").trim()}`;
}

/** A turn of the child that fails is the demo's failure too. */
async function childFailure(client: Client, id: string, signal: AbortSignal): Promise<never> {
  const [child] = (await client.thread(id)).children;
  for await (const event of client.threadWatch(child?.reference ?? id, 0, signal)) {
    if (event.event !== "change" || event.change.kind !== "turn") continue;
    if (event.change.row.state === "failed") throw await turnFailure(client, child?.reference ?? id);
  }
  return await new Promise<never>(() => {});
}

async function turnFailure(client: Client, id: string): Promise<HandlerError> {
  const failed = (await client.threadTurns(id, PAGE)).find(({ state }) => state === "failed");
  return new HandlerError("internal", `the turn of ${failed?.name} failed: ${failed?.error?.message}`);
}

/** Who had turns, and who asked a model, once all of it is written down. */
async function requestsOf(client: Client, { id }: ThreadRow) {
  const child = (await client.thread(id)).children[0]?.reference ?? "";
  const requests = async (thread: string) =>
    (await client.threadLogs(thread, PAGE)).filter(({ kind }) => kind === "model_request").length;
  const turns = [...await client.threadTurns(id, PAGE), ...await client.threadTurns(child, PAGE)];
  return {
    outer: await requests(id),
    inner: await requests(child),
    turns: turns.map(({ backing, name }) => `${backing} ${name}`),
  };
}

function short({ id }: ThreadRow): string {
  return `${id.slice(0, 6)}…`;
}
