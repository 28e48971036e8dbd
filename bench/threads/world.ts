import { join } from "node:path";
import { silentLogger, systemClock } from "../../src/base/mod.ts";
import { createSandboxes, type Sandboxes } from "../../src/sandbox/mod.ts";
import { openThreadStore, type ThreadStore } from "../../src/store/mod.ts";
import {
  createThreadHosts,
  SPIN_CPU_MS,
  type ThreadHosts,
  Threads,
  type ThreadsPorts,
} from "../../src/threads/mod.ts";
import { ROOT } from "../../tools/repository.ts";

/** The project of the bench. */
export const PROJECT = "desk";
/** No host goes to sleep by itself while something is measured. */
const IDLE_MS = 600_000;

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
  await layFiles(`${folder}/${PROJECT}`);
  const store = await openThreadStore({
    path: `${folder}/threads.db`,
    clock: systemClock,
    log: silentLogger,
  });
  const hosts = new SleepyHosts(folder);
  const threads = new Threads(portsOf(folder, store, hosts));
  await threads.start();
  const answers = new Answers(threads);
  const agent = { project: PROJECT, agent: "upper", person: null, title: null, arguments: {}, env: {} };
  return {
    threads,
    store,
    started: () => hosts.started,
    create: async () => (await threads.create(agent)).id,
    async turn(thread, text) {
      const answer = answers.next(thread);
      await threads.send(thread, { content: text, side: undefined, metadata: undefined, attachments: [] });
      const found = await answer;
      if (found !== text.toUpperCase()) throw new Error(`a bad answer: ${found}`);
    },
    sleep: () => hosts.sleep(),
    async [Symbol.asyncDispose]() {
      answers.close();
      await threads.close();
      await hosts.close();
      store.close();
    },
  };
}

async function layFiles(project: string): Promise<void> {
  for (const [path, text] of Object.entries(FILES)) {
    const file = join(project, "agents", path);
    await Deno.mkdir(join(file, ".."), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
}

function portsOf(folder: string, store: ThreadStore, hosts: ThreadHosts): ThreadsPorts {
  return {
    clock: systemClock,
    log: silentLogger,
    store,
    hosts,
    services: { tools: () => [], call: () => Promise.reject(new Error("no services here")) },
    filesFolder: `${folder}/files`,
    settings: () => ({
      turnLimitMs: 60_000,
      idleMs: IDLE_MS,
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
}

/** The real hosts, under bubblewrap, that the bench can put to sleep. */
class SleepyHosts implements ThreadHosts {
  started = 0;
  readonly #folder: string;
  readonly #sandboxes: Sandboxes;
  #now: ThreadHosts;

  constructor(folder: string) {
    this.#folder = folder;
    this.#sandboxes = createSandboxes({
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
    this.#now = this.#fresh();
  }

  #fresh(): ThreadHosts {
    return createThreadHosts({
      clock: systemClock,
      log: silentLogger,
      runtimeFolder: `${this.#folder}/t`,
      stateFolder: `${this.#folder}/state/threads`,
      startSandbox: (spec) => {
        this.started++;
        return this.#sandboxes.driver("bubblewrap").start(spec);
      },
      projectFolder: (name) => name === PROJECT ? `${this.#folder}/${PROJECT}` : undefined,
      spinCpuMs: SPIN_CPU_MS,
      idleMs: () => IDLE_MS,
    });
  }

  async sleep(): Promise<void> {
    const before = this.#now;
    this.#now = this.#fresh();
    await before.close();
  }

  current(project: string) {
    return this.#now.current(project);
  }

  get(project: string) {
    return this.#now.get(project);
  }

  check(project: string) {
    return this.#now.check(project);
  }

  use(project: string) {
    return this.#now.use(project);
  }

  close() {
    return this.#now.close();
  }
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
