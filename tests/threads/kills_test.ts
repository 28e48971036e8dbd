import assert from "node:assert/strict";
import { layHome, type SystemHome } from "../system/home.ts";
import { until } from "../system/wait.ts";
import { handled } from "./definitions.ts";
import { Chance } from "./model/random.ts";

// HANDLER_KILLS=200 for the full size; HANDLER_SEED for other moments.
const KILLS = Number(Deno.env.get("HANDLER_KILLS") ?? 15);
const SEED = Number(Deno.env.get("HANDLER_SEED") ?? 1);
const THREADS = 12;
const LONGEST_LIFE_MS = 600;
const PAGE = 1000;

const DEFINITIONS = handled(
  `const count = (await state.getValue("count") ?? 0) + 1;
   await state.setValue("count", count);
   await new Promise((resolve) => setTimeout(resolve, count % 4));
   await state.injectMessage({ role: "assistant", content: message.id });`,
);

/** A message that was acknowledged. */
interface Acknowledged {
  readonly thread: string;
  readonly id: string;
  readonly content: string;
}

/** One sender for each thread: the next message goes once the last one is acknowledged or lost with the daemon. */
class Load {
  readonly acknowledged: Acknowledged[] = [];
  readonly #home: SystemHome;
  #count = 0;

  constructor(home: SystemHome) {
    this.#home = home;
  }

  /** Sends until the daemon is gone. */
  async on(threads: readonly string[], until: AbortSignal): Promise<void> {
    await Promise.all(threads.map(async (thread) => {
      while (!until.aborted) {
        const content = `m${++this.#count}`;
        const said = { content, side: undefined, metadata: undefined, attachments: [] };
        try {
          const { id } = await this.#home.client.threadSend(thread, said);
          this.acknowledged.push({ thread, id, content });
        } catch {
          if (!until.aborted) await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }
    }));
  }
}

async function makeThreads(home: SystemHome): Promise<readonly string[]> {
  const made: string[] = [];
  for (let n = 0; n < THREADS; n++) {
    const { id } = await home.client.threadNew({
      ...{ project: "desk", agent: "it", person: null, title: null, arguments: {}, env: {} },
    });
    made.push(id);
  }
  return made;
}

/** A list from its newest end, page by page. */
async function all<T>(
  read: (page: { limit: number; offset: number; order: "desc" }) => Promise<readonly T[]>,
): Promise<T[]> {
  const found: T[] = [];
  for (let offset = 0; found.length === offset; offset += PAGE) {
    found.push(...await read({ limit: PAGE, offset, order: "desc" }));
  }
  return found;
}

/** What a thread says of itself, against what its sender was told. */
async function judge(
  home: SystemHome,
  thread: string,
  acknowledged: readonly Acknowledged[],
): Promise<number> {
  const messages = await all((page) => home.client.threadMessages(thread, { ...page, includeSilent: true }));
  const turns = await all((page) => home.client.threadTurns(thread, page));
  messages.reverse();
  turns.reverse();
  const inbound = messages.filter(({ role }) => role === "user");
  const answers = messages.filter(({ role }) => role === "assistant").map(({ content }) => content);
  for (const { id, content } of acknowledged) {
    assert.equal(inbound.find((message) => message.id === id)?.content, content, `${content} is lost`);
  }
  const contents = inbound.map(({ content }) => content);
  assert.equal(new Set(contents).size, contents.length, "a message is there twice");
  const order = contents.map((content) => Number(content?.slice(1)));
  assert.deepEqual(order, order.toSorted((one, other) => one - other), "messages are in order");
  assert.deepEqual(
    turns.map(({ messageId }) => messageId),
    inbound.map(({ id }) => id),
    "one turn a message, in order",
  );
  assert.equal(new Set(answers).size, answers.length, "a function ran twice");
  for (const { messageId, state, error } of turns) {
    if (state === "done") assert.ok(answers.includes(messageId), "a turn is done and its answer is lost");
    else assert.equal(state, "interrupted", error?.message);
  }
  return turns.filter(({ state }) => state === "interrupted").length;
}

Deno.test(`${KILLS} kills of handlerd under load`, async () => {
  const chance = new Chance(SEED);
  await using home = await layHome();
  for (const [path, text] of Object.entries(DEFINITIONS)) {
    const whole = `${home.work}/agents/${path}`;
    await Deno.mkdir(whole.slice(0, whole.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(whole, text);
  }
  await home.start();
  const threads = await makeThreads(home);
  const load = new Load(home);
  for (let kill = 0; kill < KILLS; kill++) {
    const over = new AbortController();
    const sending = load.on(threads, over.signal);
    await new Promise((resolve) => setTimeout(resolve, chance.whole(0, LONGEST_LIFE_MS)));
    const dead = home.stop("SIGKILL");
    over.abort();
    await Promise.all([dead, sending]);
    await home.start();
  }
  await until("all threads to rest", async () => {
    const waiting = await Promise.all(threads.map((thread) => home.client.thread(thread)));
    return waiting.every(({ thread, waiting }) => thread.turn === null && waiting === 0);
  }, 120_000);
  let interrupted = 0;
  for (const thread of threads) {
    interrupted += await judge(home, thread, load.acknowledged.filter((one) => one.thread === thread));
  }
  console.log(`${load.acknowledged.length} messages acknowledged, ${interrupted} turns interrupted`);
  assert.ok(load.acknowledged.length > 0);
});
