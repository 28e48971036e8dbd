import { TestClock } from "../../../src/base/mod.ts";
import { Harness, PROJECT } from "../harness.ts";
import { aRound } from "../pace.ts";
import { Chance } from "./random.ts";
import { project } from "./project.ts";
import { AGENTS, type Event, type Word } from "./schedule.ts";
import { judge } from "./judge.ts";

/** What the outside saw of a message that it sent. */
export interface Sent {
  readonly thread: string;
  readonly word: Word;
  /** The moments, counted, of sending and of being told that it is stored. */
  readonly asked: number;
  told: number | undefined;
  readonly side: "a" | "b";
  id: string | undefined;
}

/** A stretch of a thread's sequence in which no turn may begin. */
export interface Quiet {
  readonly thread: string;
  readonly from: number;
  to: number;
}

/** What a schedule left behind, for the judge. */
export interface Aftermath {
  readonly bench: Harness;
  readonly sent: readonly Sent[];
  readonly quiet: readonly Quiet[];
  readonly version: number;
  /** The words that were sent at the very end, on the last version. */
  readonly last: readonly number[];
}

/** Runs a schedule on the real thing, then judges what is there. @throws what is wrong */
export async function runSchedule(events: readonly Event[], seed: number): Promise<void> {
  const clock = new TestClock(), chance = new Chance(seed);
  const pace = () => chance.next() < HELD_UP;
  await using bench = await Harness.open({ files: project(0), clock, pace, place: await inMemory() });
  const run = new Run(bench, clock);
  await run.begin();
  for (const event of events) await run.happen(event);
  judge(await run.finish());
}

/** How often a step is held up for a round of the event loop. */
const HELD_UP = 0.3;

/** What outlives a killed process need not outlive the machine here. */
async function inMemory(): Promise<string | undefined> {
  return await Deno.stat("/dev/shm").then(() => "/dev/shm", () => undefined);
}

const pass = async (turns: number) => {
  for (let turn = 0; turn < turns; turn++) await aRound();
};

class Run {
  readonly #bench: Harness;
  readonly #clock: TestClock;
  readonly #threads: string[] = [];
  readonly #sent: Sent[] = [];
  readonly #quiet: Quiet[] = [];
  readonly #terminated = new Set<string>();
  #moment = 0;
  #version = 0;

  constructor(bench: Harness, clock: TestClock) {
    this.#bench = bench;
    this.#clock = clock;
  }

  async begin(): Promise<void> {
    for (const agent of AGENTS) this.#threads.push(await this.#bench.create(agent));
  }

  async happen(event: Event): Promise<void> {
    const bench = this.#bench;
    switch (event.op) {
      case "send":
        this.#send(this.#threads[event.thread]!, event.side, event.word);
        return;
      case "run":
        return await pass(event.turns);
      case "rest":
        return await bench.idle();
      case "kill host":
        return bench.hosts.kill(PROJECT);
      case "kill daemon":
        return await bench.crash();
      case "restart":
        return await this.#restart();
      case "reload":
        await bench.write(project(++this.#version));
        return await bench.hosts.reload(PROJECT);
      case "jump":
        return this.#clock.jump(event.ms);
      case "tick":
        return this.#clock.tick(event.ms);
      case "stop":
        return await this.#stop(this.#threads[event.thread]!);
      case "resume":
        return await this.#resume(this.#threads[event.thread]!);
      case "terminate":
        return await this.#terminate(this.#threads[event.thread]!);
    }
  }

  #send(thread: string, side: "a" | "b", word: Word): void {
    const sent: Sent = { thread, word, asked: ++this.#moment, told: undefined, side, id: undefined };
    this.#sent.push(sent);
    this.#endQuiet(thread);
    const metadata = { sent: true, side };
    void this.#bench.send(thread, JSON.stringify(word), { side, metadata }).then(
      ({ id }) => {
        sent.told = ++this.#moment;
        sent.id = id;
      },
      () => {}, // refused: it was not acknowledged
    );
  }

  /** Turns may need the clock to end in time. */
  async #restart(): Promise<void> {
    const done = this.#bench.restart();
    await pass(20);
    this.#clock.tick(2000);
    await done;
  }

  async #stop(thread: string): Promise<void> {
    if (this.#terminated.has(thread)) return;
    const isAlone = this.#sent.every((sent) => sent.thread !== thread || sent.told !== undefined);
    await this.#bench.threads.stop(thread);
    if (!isAlone) return; // a message on its way takes the stop back
    const from = this.#bench.thread(thread).seq;
    this.#quiet.push({ thread, from, to: Infinity });
  }

  async #resume(thread: string): Promise<void> {
    if (this.#terminated.has(thread)) return;
    this.#endQuiet(thread);
    await this.#bench.threads.resume(thread);
  }

  #endQuiet(thread: string): void {
    if (this.#terminated.has(thread)) return;
    const { seq } = this.#bench.thread(thread);
    for (const quiet of this.#quiet) if (quiet.thread === thread) quiet.to = Math.min(quiet.to, seq);
  }

  async #terminate(thread: string): Promise<void> {
    if (this.#terminated.has(thread)) return;
    this.#terminated.add(thread);
    await this.#bench.threads.terminate(thread);
    this.#quiet.push({ thread, from: this.#bench.thread(thread).seq, to: Infinity });
  }

  /** Lets all be done that is due, and what comes of it. */
  async #settle(): Promise<void> {
    for (let look = 0; look < 4; look++) {
      await this.#bench.idle();
      this.#clock.tick(31_000);
      await pass(4);
    }
    await this.#bench.idle();
  }

  /** Lets everything come to its end, with one more word for each thread. */
  async finish(): Promise<Aftermath> {
    const bench = this.#bench, last: number[] = [];
    await bench.idle();
    for (const thread of this.#threads) await this.#resume(thread);
    this.#clock.jump(1e10);
    await this.#settle();
    for (const [index, thread] of this.#threads.entries()) {
      if (this.#terminated.has(thread)) continue;
      last.push(1_000_000 + index);
      this.#send(thread, "b", { n: 1_000_000 + index, do: [] });
    }
    await pass(2);
    await this.#settle(); // what a stopped session left behind goes on with them
    return { bench, sent: this.#sent, quiet: this.#quiet, version: this.#version, last };
  }
}
