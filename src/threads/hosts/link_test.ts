import assert from "node:assert/strict";
import { HandlerError, type Json, TestClock } from "../../base/mod.ts";
import {
  type ByteStream,
  type FromHost,
  JsonLines,
  type ThreadSnapshot,
  type ToHost,
} from "../../wire/mod.ts";
import { HostFailure, type StateAnswer, type StateCall } from "../ports.ts";
import { HostLink } from "./link.ts";

const THREAD: ThreadSnapshot = {
  threadId: "t1",
  agentId: "a",
  userId: null,
  createdAt: 1,
  terminated: null,
  arguments: {},
  children: [],
};
const SET = { agents: [], prompts: [], models: [], tools: [], hooks: [], effects: [], handlers: [] };

/** Two ends of a connection in this process. */
function pair(): readonly [ByteStream & { close(): void }, ByteStream & { close(): void }] {
  const [one, other] = [
    new TransformStream<Uint8Array, Uint8Array>(),
    new TransformStream<Uint8Array, Uint8Array>(),
  ];
  const end = (from: ReadableStream<Uint8Array>, to: WritableStream<Uint8Array>) => {
    const reader = from.getReader(), writer = to.getWriter();
    return {
      async read(into: Uint8Array) {
        const { value } = await reader.read();
        if (value) into.set(value);
        return value ? value.length : null;
      },
      async write(bytes: Uint8Array) {
        await writer.write(bytes.slice());
        return bytes.length;
      },
      close: () => void writer.close().catch(() => {}),
    };
  };
  return [end(one.readable, other.writable), end(other.readable, one.writable)];
}

/** A link, and the host at its other end as a script. */
class Bench {
  readonly clock = new TestClock();
  readonly heard: ToHost[] = [];
  readonly told: string[] = [];
  readonly link: HostLink;
  readonly #far: ByteStream & { close(): void };
  readonly #lines: JsonLines;

  constructor(react: (message: ToHost, bench: Bench) => void = () => {}) {
    const [near, far] = pair();
    this.#far = far;
    this.link = new HostLink(near, {
      clock: this.clock,
      stuck: () => this.told.push("stuck"),
      rests: () => this.told.push("rests"),
    });
    this.#lines = new JsonLines(far, 1e6, () => {});
    this.#lines.receive((message) => {
      this.heard.push(message as ToHost);
      react(message as ToHost, this);
    });
  }

  say(message: FromHost | Json): void {
    this.#lines.send(message);
  }

  close(): void {
    this.#far.close();
  }

  run(
    answer: (call: StateCall) => StateAnswer | Promise<StateAnswer> = () => ({}),
  ): ReturnType<HostLink["run"]> {
    const what = { kind: "effect", name: "e", args: null, effectId: "e1" } as const;
    return this.link.run(what, THREAD, null, answer);
  }
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

Deno.test("many runs share a link, and each gets its own outcome", async () => {
  const bench = new Bench((message, bench) => {
    if (message.t !== "run") return;
    if (message.id === 2) bench.say({ t: "failed", id: 2, error: { name: "TypeError", message: "no" } });
    else bench.say({ t: "done", id: message.id, value: message.id });
  });
  const [one, two, three] = await Promise.allSettled(
    [bench.run(), bench.run(), bench.run()].map((run) => run.outcome),
  );
  assert.deepEqual([one, three], [{ status: "fulfilled", value: 1 }, { status: "fulfilled", value: 3 }]);
  const failure = two?.status === "rejected" ? two.reason as HostFailure : undefined;
  assert.deepEqual([failure?.kind, failure?.error], ["thrown", { name: "TypeError", message: "no" }]);
  assert.deepEqual([bench.link.running, bench.told], [0, ["rests"]]);
});

Deno.test("calls are answered at once, later, with children, or refused in words without a stack", async () => {
  const bench = new Bench();
  const run = bench.run(({ origin, thread, method, args }) => {
    if (method === "now") return { value: [origin, thread, ...args] };
    if (method === "later") return Promise.resolve({ children: [] });
    if (method === "hint") throw new HandlerError("not_found", "it is not there", { hint: "look" });
    return Promise.reject(Object.assign(new Error("no"), { code: "subagent_env_required" }));
  });
  for (const [index, method] of ["now", "later", "hint", "code"].entries()) {
    bench.say({ t: "call", call: index, run: 1, thread: "t2", method, args: [1] });
  }
  bench.say({ t: "call", call: 8, run: 7, thread: "t2", method: "now", args: [] });
  bench.say({ t: "call", call: 9, run: 1, thread: 2, method: "now", args: [] });
  await soon();
  const answers = bench.heard.filter(({ t }) => t === "ok" || t === "no");
  const byCall = answers.sort((x, y) => ("call" in x ? x.call : 0) - ("call" in y ? y.call : 0));
  assert.deepEqual(byCall, [
    { t: "ok", call: 0, value: ["t1", "t2", 1] },
    { t: "ok", call: 1, children: [] },
    {
      t: "no",
      call: 2,
      error: { name: "HandlerError", message: "it is not there (look)", code: "not_found" },
    },
    { t: "no", call: 3, error: { name: "Error", message: "no", code: "subagent_env_required" } },
    { t: "no", call: 8, error: { name: "Error", message: "now was asked too late: the run is over" } },
    {
      t: "no",
      call: 9,
      error: { name: "Error", message: "a call names a thread, a method and a list of arguments" },
    },
  ]);
  bench.say({ t: "done", id: 1 });
  assert.equal(await run.outcome, undefined);
});

Deno.test("a stop is told once, calls after it are refused, and a grace passes", async () => {
  const bench = new Bench();
  const run = bench.run(() => ({ value: 1 }));
  run.abort("a person");
  run.abort("twice");
  bench.say({ t: "call", call: 1, run: 1, thread: "t1", method: "now", args: [] });
  await soon();
  assert.deepEqual(bench.heard.slice(1), [
    { t: "abort", id: 1, reason: "a person" },
    { t: "no", call: 1, error: { name: "Error", message: "now was asked too late: the run is over" } },
  ]);
  bench.clock.tick(4_999);
  assert.deepEqual(bench.told, []);
  bench.clock.tick(1);
  assert.deepEqual(bench.told, ["stuck"]);
  bench.link.fail({ name: "Interrupted", message: "killed" });
  await assert.rejects(
    run.outcome,
    (error: HostFailure) => error.kind === "interrupted" && error.message === "killed",
  );
  await assert.rejects(bench.run().outcome, /killed/);
});

Deno.test("a run that ends in its grace is not stuck", async () => {
  const bench = new Bench((message, bench) => {
    if (message.t === "abort") {
      bench.say({ t: "failed", id: message.id, error: { name: "AbortError", message: "x" } });
    }
  });
  const run = bench.run();
  run.abort("x");
  await assert.rejects(run.outcome, HostFailure);
  bench.clock.tick(60_000);
  assert.deepEqual(bench.told, ["rests"]);
});

Deno.test("a host is ready once, and what it may not say ends the link", async () => {
  const good = new Bench();
  const ready = { t: "ready", definitions: SET, problems: [] } as const;
  good.say(ready);
  assert.deepEqual(await good.link.ready, ready);
  good.say(ready);
  assert.equal(await good.link.ended, "a thread host is ready once");
  for (const message of [1, [], { t: "none" }, { t: 1 }]) {
    const bench = new Bench();
    bench.say(message as Json);
    assert.match(await bench.link.ended, /^a thread host sends/);
    await assert.rejects(bench.link.ready, HandlerError);
  }
  const closed = new Bench();
  closed.close();
  assert.equal(await closed.link.ended, "it closed the connection");
});

Deno.test("an error without form is told in words", async () => {
  const bench = new Bench();
  const run = bench.run();
  bench.say({ t: "failed", id: 1, error: { message: 5, stack: {} } });
  await assert.rejects(run.outcome, /the function failed without a word/);
});

Deno.test("what has begun ends with a host that is cut; what has not, and what comes later, is for another one", async () => {
  const bench = new Bench(({ t, ...rest }, bench) => {
    if (t === "run" && "id" in rest && rest.id < 3) bench.say({ t: "begun", id: rest.id });
  });
  const runs = [bench.run(), bench.run(), bench.run()];
  const kinds = Promise.all(runs.map(({ outcome }) => outcome.catch(({ kind }: HostFailure) => kind)));
  await soon();
  assert.equal(bench.link.turnsBegun, 2);
  bench.link.cut({ name: "Interrupted", message: "cut" }, "interrupted");
  assert.deepEqual(await kinds, ["interrupted", "interrupted", "not_begun"]);
  await assert.rejects(bench.run().outcome, ({ kind }: HostFailure) => kind === "not_begun");
});

Deno.test("functions of one turn are one to a link, and a call says that its run has begun", async () => {
  const bench = new Bench();
  const steps = { stepCount: 0, sideAStepCount: 0, sideBStepCount: 0, promptPath: [] };
  const execution = { flowId: "f", currentSide: "a", ...steps } as const;
  const what = { kind: "tool", name: "t", args: null, callId: null } as const;
  const runs = [1, 2].map(() => bench.link.run(what, THREAD, execution, () => ({})));
  assert.equal(bench.link.turnsBegun, 0);
  bench.say({ t: "begun", id: 1 });
  bench.say({ t: "call", call: 1, run: 2, thread: "t1", method: "m", args: [] });
  await soon();
  assert.deepEqual([bench.link.turnsBegun, bench.link.heard], [1, 2]);
  bench.link.cut({ name: "TurnLimit", message: "spun" }, "spun");
  for (const { outcome } of runs) await assert.rejects(outcome, ({ kind }: HostFailure) => kind === "spun");
});
