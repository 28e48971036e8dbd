import assert from "node:assert/strict";
import { silentLogger, systemClock } from "../../src/base/mod.ts";
import type { DriverName } from "../../src/sandbox/mod.ts";
import { openThreadStore, type ThreadStore, type TurnRow } from "../../src/store/mod.ts";
import { Threads } from "../../src/threads/mod.ts";
import { onDriver } from "../sandbox/support.ts";
import { until } from "../system/wait.ts";
import { handled } from "./definitions.ts";
import { FakeModel } from "./fake_model.ts";
import { SETTINGS } from "./harness.ts";
import { type HostHome, hostHome } from "./host_home.ts";

const DRIVERS: readonly DriverName[] = ["bubblewrap", "podman", "deno"];
const SPIN_CPU_MS = 500;
const ALL = { limit: 100, offset: 0, order: "asc" } as const;

/** Says that it runs, by a message that is stored before it goes on; then spins, waits for ever, or is done. */
const DEFINITIONS = handled(`
  if (message.content === "at once") while (true) {}
  await state.injectMessage({ role: "assistant", content: message.content });
  if (message.content === "spin") while (true) {}
  if (message.content === "wait") await new Promise(() => {});
`);

/** The real engine over real hosts. */
class Bench implements AsyncDisposable {
  readonly home: HostHome;
  readonly #store: ThreadStore;
  readonly #threads: Threads;

  private constructor(home: HostHome, store: ThreadStore) {
    this.home = home;
    this.#store = store;
    this.#threads = new Threads({
      ...{ clock: systemClock, log: silentLogger, store, hosts: home.hosts, services: new FakeModel() },
      filesFolder: `${home.home.folder}/files`,
      settings: () => SETTINGS,
      isProject: (name) => name === "desk",
      accountEnv: () => ({}),
      instanceEnv: () => ({}),
      notify() {},
    });
  }

  static async open(driver: DriverName): Promise<Bench> {
    const home = await hostHome(driver, DEFINITIONS, { spinCpuMs: SPIN_CPU_MS });
    const path = `${home.home.folder}/threads.sqlite`;
    const bench = new Bench(home, await openThreadStore({ path, clock: systemClock, log: silentLogger }));
    await bench.#threads.start();
    return bench;
  }

  /** A new thread with one message; its turn is on disk, whether or not its function has been called. */
  async said(content: string): Promise<string> {
    const { id } = await this.#threads.create({
      ...{ project: "desk", agent: "it", person: null, title: null, arguments: {}, env: {} },
    });
    await this.send(id, content);
    return id;
  }

  async send(thread: string, content: string): Promise<void> {
    const more = { side: undefined, metadata: undefined, attachments: [] };
    await this.#threads.send(thread, { content, ...more });
  }

  /** As {@linkcode said}, and its function runs. */
  async running(content: string): Promise<string> {
    const thread = await this.said(content);
    await until("the function's word", () => this.words(thread).length === 1);
    return thread;
  }

  /** What functions of a thread have said: one word for each time that one was called. */
  words(thread: string): readonly (string | null)[] {
    return this.#threads.messages(thread, { ...ALL, includeSilent: true })
      .filter(({ role }) => role === "assistant").map(({ content }) => content);
  }

  turns(thread: string): readonly TurnRow[] {
    return this.#threads.turns(thread, ALL);
  }

  /** The turns of a thread, once so many have ended. */
  async ended(thread: string, count = 1): Promise<readonly (readonly [string, string | undefined])[]> {
    const turns = await until("the end of the turn", () => {
      const turns = this.turns(thread);
      return turns.length === count && turns.every(({ state }) => state !== "running") && turns;
    });
    return turns.map(({ state, error }) => [state, error?.type]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads.close();
    this.#store.close();
    await this.home[Symbol.asyncDispose]();
  }
}

for (const driver of DRIVERS) {
  onDriver(driver, "a function that spins alone fails, and what waited behind it runs once", async () => {
    await using bench = await Bench.open(driver);
    const spins = await bench.running("spin");
    const held = await Promise.all(["one", "two", "three"].map((word) => bench.said(word)));
    assert.ok(held.every((thread) => bench.words(thread).length === 0));
    assert.deepEqual(await bench.ended(spins), [["failed", "turn_limit"]]);
    assert.match(bench.turns(spins)[0]?.error?.message ?? "", /^the function spun: it used more than 0\.5 s/);
    for (const [index, word] of ["one", "two", "three"].entries()) {
      assert.deepEqual(await bench.ended(held[index]!), [["done", undefined]]);
      assert.deepEqual(bench.words(held[index]!), [word]);
    }
    await bench.send(spins, "on");
    assert.deepEqual(await bench.ended(spins, 2), [["failed", "turn_limit"], ["done", undefined]]);
    assert.deepEqual([bench.words(spins), bench.home.started()], [["spin", "on"], 2]);
    assert.match(bench.home.lines.join("\n"), /a function of desk spins: its process is ended/);
  });
}

onDriver("bubblewrap", "a function that spins from its first line on was called all the same", async () => {
  await using bench = await Bench.open("bubblewrap");
  const spins = await bench.said("at once");
  assert.deepEqual(await bench.ended(spins), [["failed", "turn_limit"]]);
  await bench.send(spins, "on");
  assert.deepEqual(await bench.ended(spins, 2), [["failed", "turn_limit"], ["done", undefined]]);
});

onDriver(
  "bubblewrap",
  "where several run, all are interrupted for one that spins, and none again",
  async () => {
    await using bench = await Bench.open("bubblewrap");
    const waits = await bench.running("wait");
    const spins = await bench.running("spin");
    const held = await bench.said("one");
    for (const thread of [waits, spins]) {
      assert.deepEqual(await bench.ended(thread), [["interrupted", "interrupted_incomplete"]]);
      assert.match(
        bench.turns(thread)[0]?.error?.message ?? "",
        /^one of 2 functions in this process spun: /,
      );
    }
    assert.deepEqual(await bench.ended(held), [["done", undefined]]);
    await bench.send(waits, "on");
    await bench.send(spins, "on");
    for (const thread of [waits, spins]) {
      assert.deepEqual((await bench.ended(thread, 2)).map(([state]) => state), ["interrupted", "done"]);
    }
    assert.deepEqual([waits, spins, held].map((thread) => bench.words(thread)), [
      ["wait", "on"],
      ["spin", "on"],
      ["one"],
    ]);
  },
);

onDriver(
  "bubblewrap",
  "spinners that come one behind the other each have a process, and the rest goes on",
  async () => {
    await using bench = await Bench.open("bubblewrap");
    const first = await bench.running("spin");
    const second = await bench.said("spin");
    const last = await bench.said("one");
    assert.deepEqual(await bench.ended(first), [["failed", "turn_limit"]]);
    const [[state] = []] = await bench.ended(second);
    assert.ok(state === "failed" || state === "interrupted"); // as the last one has begun beside it or not
    assert.deepEqual(bench.words(second), ["spin"]);
    await bench.ended(last);
    assert.equal(bench.words(last).length, 1);
  },
);
