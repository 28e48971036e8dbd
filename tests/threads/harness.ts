import { type Clock, silentLogger, systemClock } from "../../src/base/mod.ts";
import { openThreadStore, type ThreadRow, type ThreadStore, type TurnRow } from "../../src/store/mod.ts";
import { type SentMessage, Threads, type ThreadSettings, type ThreadsPorts } from "../../src/threads/mod.ts";
import type { WireMessage } from "../../src/wire/mod.ts";
import { FakeModel } from "./fake_model.ts";
import { hostHere, type StartHost, TestHosts } from "./hosts.ts";
import { aRound, type Pace, steady } from "./pace.ts";
import { Mortal } from "./mortal.ts";
import { Probe } from "./probe.ts";

/** What a test says of its project; the rest has a default. */
export interface HarnessOptions {
  /** Definitions: a path below `agents/` to its text. */
  readonly files: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly settings?: Partial<ThreadSettings>;
  readonly start?: StartHost;
  readonly env?: Readonly<Record<string, string>>;
  readonly pace?: Pace;
  /** Where its folder is made; the machine's place for such where it is left out. */
  readonly place?: string | undefined;
  /** Put around the store, for faults. */
  readonly around?: (store: ThreadStore) => ThreadStore;
}

/** The one project of a harness. */
export const PROJECT = "desk";

/** What holds where a test says nothing else. */
export const SETTINGS: ThreadSettings = {
  turnLimitMs: 60_000,
  idleMs: 60_000,
  pingPongTurns: 100,
  projectTurns: 64,
  allTurns: 64,
  envOrder: ["thread", "account", "instance", "agent", "prompt"],
};
const ALL = { limit: 1_000_000, offset: 0, order: "asc" } as const;

/** The real engine on the real store, with a project's definitions from a temporary folder. */
export class Harness implements AsyncDisposable {
  readonly probe = new Probe();
  readonly model = new FakeModel();
  readonly clock: Clock;
  readonly folder: string;
  /** What persons were told. */
  readonly told: string[] = [];
  readonly #options: HarnessOptions;
  threads!: Threads;
  store!: ThreadStore;
  hosts!: TestHosts;
  readonly #pace: Pace;
  readonly #graves: Mortal[] = [];
  #mortal!: Mortal;

  private constructor(options: HarnessOptions, folder: string) {
    this.#options = options;
    this.folder = folder;
    this.#pace = options.pace ?? steady();
    this.clock = options.clock ?? systemClock;
    (globalThis as { probe?: Probe }).probe = this.probe;
  }

  static async open(options: HarnessOptions): Promise<Harness> {
    const harness = new Harness(
      options,
      await Deno.makeTempDir({
        prefix: "threads-",
        ...options.place !== undefined && { dir: options.place },
      }),
    );
    await harness.write(options.files);
    await harness.#boot();
    return harness;
  }

  /** Writes definitions into the project. */
  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      const whole = `${this.folder}/${PROJECT}/agents/${path}`;
      await Deno.mkdir(whole.slice(0, whole.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(whole, text);
    }
  }

  async #boot(): Promise<void> {
    const mortal = this.#mortal = new Mortal(this.clock, this.#pace);
    const path = `${this.folder}/threads.sqlite`;
    const real = await openThreadStore({ path, clock: mortal.clock, log: silentLogger });
    this.store = mortal.store(this.#options.around?.(real) ?? real);
    const folderOf = (project: string) => `${this.folder}/${project}`;
    this.hosts = new TestHosts(mortal.clock, folderOf, this.#options.start ?? hostHere, this.#pace);
    this.threads = new Threads(this.#ports());
    await this.threads.start();
  }

  #ports(): ThreadsPorts {
    return {
      clock: this.#mortal.clock,
      log: silentLogger,
      store: this.store,
      hosts: this.hosts,
      services: this.model,
      filesFolder: `${this.folder}/files`,
      settings: () => ({ ...SETTINGS, ...this.#options.settings }),
      isProject: (name) => name === PROJECT,
      accountEnv: () => ({}),
      instanceEnv: () => this.#options.env ?? {},
      notify: (_person, title) => this.told.push(title),
    };
  }

  /** As `kill -9` of the daemon and all that it runs, then a new start. */
  async crash(): Promise<void> {
    this.#mortal.die();
    this.#graves.push(this.#mortal);
    await this.hosts.close();
    await this.#boot();
  }

  /** As an orderly stop of the daemon and a new start. */
  async restart(): Promise<void> {
    await this.#close();
    await this.#boot();
  }

  /** A new thread of an agent. */
  async create(agent: string, more: Partial<Parameters<Threads["create"]>[0]> = {}): Promise<string> {
    const { id } = await this.threads.create({
      project: PROJECT,
      agent,
      person: "ann",
      title: null,
      arguments: {},
      env: {},
      ...more,
    });
    return id;
  }

  /** A message from outside. */
  send(thread: string, content: string, more: Partial<SentMessage> = {}): Promise<WireMessage> {
    return this.threads.send(thread, {
      content,
      side: undefined,
      metadata: undefined,
      attachments: [],
      ...more,
    });
  }

  /** All messages, oldest first, silent ones too. */
  messages(thread: string): readonly WireMessage[] {
    return this.threads.messages(thread, { ...ALL, order: "desc", includeSilent: true }).toReversed();
  }

  turns(thread: string): readonly TurnRow[] {
    return this.threads.turns(thread, ALL);
  }

  thread(id: string): ThreadRow {
    return this.threads.show(id).thread;
  }

  children(id: string): readonly ThreadRow[] {
    return this.store.children(id);
  }

  /** Waits until nothing is under way or about to begin in any thread. */
  async idle(limitMs = 10_000): Promise<void> {
    const end = performance.now() + limitMs;
    for (let still = 0; still < 3;) {
      if (performance.now() > end) {
        throw new Error(`the threads do not come to rest: ${this.#busy().join(", ")}`);
      }
      await aRound();
      still = this.#busy().length === 0 ? still + 1 : 0;
    }
  }

  #busy(): readonly string[] {
    const { store } = this;
    return [
      ...store.threads({ limit: 10_000, offset: 0 })
        .filter(({ turn, status }) => turn !== null || status === "running")
        .map(({ id, agent, status, turn }) => `${agent} ${id} ${status} ${turn}`),
      ...store.processingEffects().map(({ name }) => name),
    ];
  }

  async #close(): Promise<void> {
    await this.threads.close();
    await this.hosts.close();
    this.store.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    for (const dead of this.#graves) dead.bury();
    await Deno.remove(this.folder, { recursive: true });
  }
}
