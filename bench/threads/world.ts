import { join } from "node:path";
import { silentLogger, systemClock } from "../../src/base/mod.ts";
import { createSandboxes } from "../../src/sandbox/mod.ts";
import { openThreadStore, type ThreadStore } from "../../src/store/mod.ts";
import { createThreadHosts, Threads, type ThreadsPorts } from "../../src/threads/mod.ts";
import { ROOT } from "../../tools/repository.ts";

/** The project of the bench. */
export const PROJECT = "desk";

/** A handler that answers in capitals, a person at the other side; and an agent that a person could talk to. */
const FILES: Readonly<Record<string, string>> = {
  "handlers/upper.ts": `import { defineHandler } from "@standardagents/spec";
export default defineHandler({
  execute: async (state, message) => {
    await state.injectMessage({ role: "assistant", content: message.content.toUpperCase() });
  },
});
`,
  "agents/upper.ts": `import { defineAgent } from "@standardagents/spec";
export default defineAgent({ name: "upper", sideA: { handler: "upper" }, sideB: { human: true } });
`,
};

/** Real threads on a real disk, their handlers in a sandbox. */
export interface World extends AsyncDisposable {
  readonly threads: Threads;
  readonly store: ThreadStore;
  create(): Promise<string>;
  /** A message in, until its answer is out. */
  turn(thread: string, text: string): Promise<void>;
  /** Lets the project sleep. */
  sleep(): Promise<void>;
  /** Sandboxes that were started. */
  started(): number;
}

/** Opens one in a folder. */
export async function openWorld(folder: string): Promise<World> {
  const project = `${folder}/${PROJECT}`;
  for (const [path, text] of Object.entries(FILES)) {
    const file = join(project, "agents", path);
    await Deno.mkdir(join(file, ".."), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
  const store = await openThreadStore({
    path: `${folder}/threads.db`,
    clock: systemClock,
    log: silentLogger,
  });
  const sandboxes = createSandboxes({
    log: silentLogger,
    clock: systemClock,
    runtimeFolder: `${folder}/run`,
    stateFolder: `${folder}/state`,
    instanceId: "bench",
    config: { sandbox: "bubblewrap", image: undefined, egress: { caFile: undefined, dial: {} } },
    deno: Deno.execPath(),
    guestFolder: `${ROOT}/build/guest`,
    onConnect: () => () => {},
    onEgress: () => {},
  });
  let started = 0;
  const hosts = () =>
    createThreadHosts({
      clock: systemClock,
      log: silentLogger,
      runtimeFolder: `${folder}/t`,
      stateFolder: `${folder}/state/threads`,
      startSandbox: (spec) => {
        started++;
        return sandboxes.driver("bubblewrap").start(spec);
      },
      projectFolder: (name) => name === PROJECT ? project : undefined,
      idleMs: () => 600_000,
    });
  let running = hosts();
  const ports: ThreadsPorts = {
    clock: systemClock,
    log: silentLogger,
    store,
    // the bench puts a project to sleep by taking new hosts
    hosts: {
      current: (name) => running.current(name),
      get: (name) => running.get(name),
      check: (name) => running.check(name),
      use: (name) => running.use(name),
      close: () => running.close(),
    },
    services: { tools: () => [], call: () => Promise.reject(new Error("no services here")) },
    filesFolder: `${folder}/files`,
    settings: () => ({
      turnLimitMs: 60_000,
      idleMs: 600_000,
      pingPongTurns: 100,
      projectTurns: 128,
      allTurns: 128,
      envOrder: ["thread", "account", "instance", "agent", "prompt"],
    }),
    isProject: (name) => name === PROJECT,
    accountEnv: () => ({}),
    instanceEnv: () => ({}),
    notify() {},
  };
  const threads = new Threads(ports);
  await threads.start();
  const answers = new Answers(threads);
  return {
    threads,
    store,
    started: () => started,
    create: async () =>
      (await threads.create({
        project: PROJECT,
        agent: "upper",
        person: null,
        title: null,
        arguments: {},
        env: {},
      })).id,
    async turn(thread, text) {
      const answer = answers.next(thread);
      await threads.send(thread, { content: text, side: undefined, metadata: undefined, attachments: [] });
      const found = await answer;
      if (found !== text.toUpperCase()) throw new Error(`a bad answer: ${found}`);
    },
    async sleep() {
      const before = running;
      running = hosts();
      await before.close();
    },
    async [Symbol.asyncDispose]() {
      answers.close();
      await threads.close();
      await running.close();
      store.close();
    },
  };
}

/** What comes out of threads, one watch each, as a client has it. */
class Answers {
  readonly #threads: Threads;
  readonly #waiting = new Map<string, (text: string | null) => void>();
  readonly #watched = new Set<string>();
  readonly #over = new AbortController();

  constructor(threads: Threads) {
    this.#threads = threads;
  }

  next(thread: string): Promise<string | null> {
    if (!this.#watched.has(thread)) {
      this.#watched.add(thread);
      void this.#watch(thread);
    }
    return new Promise((resolve) => this.#waiting.set(thread, resolve));
  }

  async #watch(thread: string): Promise<void> {
    const from = this.#threads.show(thread).thread.seq;
    for await (const event of this.#threads.watch(thread, from, this.#over.signal)) {
      if (event.event !== "change" || event.change.kind !== "message") continue;
      const { role, content } = event.change.row;
      if (role === "assistant") this.#waiting.get(thread)?.(content);
    }
  }

  close(): void {
    this.#over.abort();
  }
}
