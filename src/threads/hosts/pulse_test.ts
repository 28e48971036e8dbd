import assert from "node:assert/strict";
import { TestClock } from "../../base/mod.ts";
import { Pulse, spinError } from "./pulse.ts";

/** A host of which a test says what it did. */
class Bench {
  readonly clock = new TestClock();
  readonly told: string[] = [];
  readonly link = { running: 1, heard: 0, canHear: true, pulse: () => void this.asked++ };
  asked = 0;
  cpuMs: number | undefined = 0;
  readonly pulse: Pulse;

  constructor() {
    this.pulse = new Pulse({
      clock: this.clock,
      limitMs: 20_000,
      link: this.link,
      cpuMs: () => Promise.resolve(this.cpuMs),
      spins: () => {
        this.told.push("spins");
        this.pulse.stop();
      },
      unknown: () => this.told.push("unknown"),
    });
    this.pulse.watch();
  }

  /** Looks as often, while so much processor time goes by between two looks. */
  async look(times: number, cpuMs: number, ms = 1_000): Promise<void> {
    for (let count = 0; count < times; count++) {
      if (this.cpuMs !== undefined) this.cpuMs += cpuMs;
      this.clock.tick(ms);
      for (let turn = 0; turn < 10; turn++) await undefined;
    }
  }
}

Deno.test("a host that says nothing and works on spins, once it is over its limit at two looks", async () => {
  const bench = new Bench();
  await bench.look(2, 1_000); // asked, then silent
  await bench.look(20, 1_000);
  assert.deepEqual([bench.asked, bench.told], [1, []]);
  await bench.look(1, 1_000);
  assert.deepEqual(bench.told, []);
  await bench.look(1, 1_000);
  assert.deepEqual(bench.told, ["spins"]);
  await bench.look(5, 60_000);
  assert.deepEqual(bench.told, ["spins"]);
});

Deno.test("a word begins its time anew, also one that a daemon which was busy reads late", async () => {
  const bench = new Bench();
  for (let count = 0; count < 10; count++) {
    await bench.look(1, 1_000);
    await bench.look(18, 1_000);
    bench.link.heard++;
  }
  assert.deepEqual([bench.asked, bench.told], [10, []]);
  await bench.look(2, 0);
  await bench.look(1, 600_000);
  bench.link.heard++;
  await bench.look(2, 0);
  assert.deepEqual(bench.told, []);
});

Deno.test("no clock ends a host: it may be stopped, or asleep with its machine", async () => {
  const bench = new Bench();
  await bench.look(5, 0, 3_600_000);
  bench.clock.jump(1e10);
  await bench.look(5, 0, 3_600_000);
  bench.clock.jump(-2e10);
  await bench.look(100, 100);
  assert.deepEqual(bench.told, []);
});

Deno.test("nothing is held against a host to which nobody listens, or in which nothing runs", async () => {
  const bench = new Bench();
  bench.link.canHear = false;
  await bench.look(10, 60_000);
  bench.link.canHear = true;
  await bench.look(1, 0);
  bench.link.running = 0;
  await bench.look(10, 60_000);
  bench.link.running = 1;
  bench.pulse.watch();
  await bench.look(3, 9_000);
  assert.deepEqual(bench.told, []);
});

Deno.test("where the processor's time cannot be known, that is told once and nothing is ended", async () => {
  const bench = new Bench();
  bench.cpuMs = undefined;
  await bench.look(50, 0, 60_000);
  assert.deepEqual(bench.told, ["unknown"]);
});

Deno.test("the reason says whose fault it is, as far as that is known", () => {
  const words = [0, 1, 3].map((turns) => spinError(turns, 20_000));
  assert.deepEqual(words.map(({ name }) => name), ["Interrupted", "TurnLimit", "Interrupted"]);
  assert.match(words[0]!.message, /^the thread host spun: it used more than 20 s of processor time/);
  assert.match(words[1]!.message, /^the function spun: it used more than 20 s of processor time/);
  assert.match(words[2]!.message, /^one of 3 functions in this process spun: .* nobody can know which/);
});
