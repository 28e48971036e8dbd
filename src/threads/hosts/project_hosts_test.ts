import assert from "node:assert/strict";
import { HandlerError, makeLogger, TestClock } from "../../base/mod.ts";
import type { Sandbox, SandboxExit, SandboxSpec } from "../../sandbox/mod.ts";
import { type FromHost, JsonLines, type ToHost } from "../../wire/mod.ts";
import type { ThreadHost, ThreadHosts } from "../ports.ts";
import { createThreadHosts } from "./mod.ts";

/** What a host of these tests does once it is asked to start. */
interface Script {
  /** Of its definitions: an error for each. */
  readonly problems?: readonly string[];
  /** It ends before it is ready. */
  readonly dies?: boolean;
}

/** Hosts in this process, in sandboxes that are none: each reads how to behave from the definitions it is given. */
class Bench implements AsyncDisposable {
  readonly clock = new TestClock();
  readonly lines: string[] = [];
  readonly running: FakeHost[] = [];
  started = 0;
  readonly hosts: ThreadHosts;

  private constructor(readonly root: string) {
    this.hosts = createThreadHosts({
      clock: this.clock,
      log: makeLogger((_, message) => this.lines.push(message)),
      runtimeFolder: `${root}/r`,
      stateFolder: `${root}/s`,
      startSandbox: (spec) => this.#start(spec),
      projectFolder: (name) => name === "desk" ? `${root}/desk` : undefined,
      idleMs: () => 10_000,
      spinCpuMs: 20_000,
    });
  }

  static async make(script: Script = {}): Promise<Bench> {
    const bench = new Bench(await Deno.makeTempDir({ prefix: "ph-" }));
    await bench.write(script);
    return bench;
  }

  /** Changes the definitions. */
  async write(script: Script, more = ""): Promise<void> {
    await Deno.mkdir(`${this.root}/desk/agents`, { recursive: true });
    await Deno.writeTextFile(`${this.root}/desk/agents/script.json`, JSON.stringify(script) + more);
    this.clock.tick(1_000);
  }

  #start(spec: SandboxSpec): Promise<Sandbox> {
    this.started++;
    const host = new FakeHost(spec);
    this.running.push(host);
    return Promise.resolve(host.sandbox);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.hosts.close();
    await Deno.remove(this.root, { recursive: true });
  }
}

class FakeHost {
  readonly sandbox: Sandbox;
  readonly #exited = Promise.withResolvers<SandboxExit>();
  readonly #listener: Deno.UnixListener;
  #connection: Deno.UnixConn | undefined;
  readonly #script: string;

  constructor(spec: SandboxSpec) {
    const source = (target: string) => spec.mounts.find((mount) => mount.target === target)?.source;
    this.#script = `${source("/opt/handler/project/agents")}/script.json`;
    this.#listener = Deno.listen({ transport: "unix", path: `${source("/run/handler")}/threads.sock` });
    void this.#serve();
    this.sandbox = {
      name: spec.name,
      driver: "deno",
      handle: spec.name,
      exited: this.#exited.promise,
      cpuMs: () => Promise.resolve(undefined),
      log: () => "",
      stop: () => {
        this.die(0, "stopped");
        return this.#exited.promise;
      },
    };
  }

  die(code: number, reason: SandboxExit["reason"] = "exited"): void {
    try {
      this.#listener.close();
    } catch {
      // it was closed when the daemon had connected
    }
    try {
      this.#connection?.close();
    } catch {
      // the daemon has let go of it
    }
    this.#exited.resolve({ code, reason });
  }

  /** Runs what it is asked to and is done with it at once, but for effects, which never end. */
  async #serve(): Promise<void> {
    const connection = this.#connection = await this.#listener.accept();
    this.#listener.close();
    const script: Script = JSON.parse(Deno.readTextFileSync(this.#script));
    if (script.dies) return this.die(1);
    const lines = new JsonLines(connection, 1e6, () => {});
    const send = (message: FromHost) => lines.send(message);
    const problems = (script.problems ?? []).map((message) => ({
      file: "agents/script.json",
      path: "",
      message,
      severity: "error" as const,
    }));
    const none = { agents: [], prompts: [], models: [], tools: [], hooks: [], effects: [], handlers: [] };
    send({ t: "ready", definitions: none, problems });
    await lines.receive((given) => {
      const message = given as ToHost;
      if (message.t === "run") send({ t: "begun", id: message.id });
      if (message.t === "run" && message.what.kind !== "effect") send({ t: "done", id: message.id });
    }).catch(() => {});
    this.die(0);
  }
}

function run(host: ThreadHost, kind: "effect" | "tool" = "tool"): ReturnType<ThreadHost["run"]> {
  const thread = {
    threadId: "t1",
    agentId: "a",
    userId: null,
    createdAt: 1,
    terminated: null,
    arguments: {},
    children: [],
  };
  const what = kind === "tool"
    ? { kind, name: "x", args: null, callId: null } as const
    : { kind, name: "x", args: null, effectId: "e" } as const;
  return host.run(what, thread, null, () => ({}));
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

Deno.test("a host is started once, kept while it is used, and ended when nobody asked for long", async () => {
  await using bench = await Bench.make();
  const { hosts, clock } = bench;
  assert.equal(hosts.current("desk"), undefined);
  const leave = hosts.use("desk");
  const [one, other] = await Promise.all([hosts.get("desk"), hosts.get("desk")]);
  assert.deepEqual([one === other, hosts.current("desk") === one, bench.started], [true, true, 1]);
  await run(one).outcome;
  clock.tick(60_000);
  assert.equal(hosts.current("desk"), one);
  leave();
  clock.tick(6_000);
  assert.equal(hosts.current("desk"), one); // asked for: the time begins anew
  clock.tick(6_000);
  clock.tick(6_000);
  assert.equal(hosts.current("desk"), undefined);
  assert.notEqual(await hosts.get("desk"), one);
});

Deno.test("a changed host takes over, the one before ends when what was begun on it has ended", async () => {
  await using bench = await Bench.make();
  const { hosts, clock } = bench;
  const leave = hosts.use("desk");
  const before = await hosts.get("desk");
  await bench.write({}, " ");
  assert.equal(hosts.current("desk"), undefined);
  const after = await hosts.get("desk");
  assert.notEqual(after, before);
  await run(before).outcome;
  const later = hosts.use("desk");
  clock.tick(5_000); // who was given it a moment ago may have begun by now
  await run(before).outcome;
  leave();
  const last = hosts.use("desk");
  await run(before).outcome; // `later` may need it still
  later();
  await soon();
  await assert.rejects(run(before).outcome, /was ended/);
  await run(after).outcome;
  last();
});

Deno.test("the disk is looked at every 20 ms at most, and a folder that is away for a moment is no change", async () => {
  await using bench = await Bench.make();
  const { hosts, clock, root } = bench;
  const host = await hosts.get("desk");
  clock.tick(1_000);
  assert.equal(hosts.current("desk"), host);
  await Deno.writeTextFile(`${root}/desk/agents/script.json`, "{}  ");
  clock.tick(15);
  assert.equal(hosts.current("desk"), host);
  await Deno.rename(`${root}/desk/agents`, `${root}/desk/away`);
  clock.tick(10);
  assert.equal(hosts.current("desk"), host);
  await Deno.rename(`${root}/desk/away`, `${root}/desk/agents`);
  clock.tick(25);
  assert.equal(hosts.current("desk"), undefined);
  assert.notEqual(await hosts.get("desk"), host);
});

Deno.test("wrong definitions do not replace what runs, and are told until they are mended", async () => {
  await using bench = await Bench.make();
  const { hosts } = bench;
  const host = await hosts.get("desk");
  await bench.write({ problems: ["one", "two"] });
  assert.equal(await hosts.get("desk"), host);
  assert.deepEqual(host.problems.map(({ message }) => message), ["one", "two"]);
  assert.equal(bench.started, 2);
  bench.clock.tick(1_000);
  assert.equal(hosts.current("desk"), host);
  assert.match(bench.lines.join("\n"), /the definitions of desk: 2 problems\n {2}agents\/script\.json: one/);
  await bench.write({});
  assert.notEqual(await hosts.get("desk"), host);
  assert.equal(bench.started, 3);
});

Deno.test("wrong definitions from the start are told without another try, until they change", async () => {
  await using bench = await Bench.make({ problems: ["one"] });
  const { hosts } = bench;
  for (let count = 0; count < 3; count++) {
    await assert.rejects(hosts.get("desk"), /the definitions of desk: 1 problem/);
  }
  assert.equal(bench.started, 1);
  const { problems } = await hosts.check("desk");
  assert.deepEqual(problems.map(({ message }) => message), ["one"]);
  await bench.write({});
  await hosts.get("desk");
});

Deno.test("a host that does not come up is tried again at once, then less and less often", async () => {
  await using bench = await Bench.make({ dies: true });
  const { hosts, clock } = bench;
  const fails = () =>
    assert.rejects(hosts.get("desk"), (error: HandlerError) => error.kind === "unavailable");
  await fails();
  await fails();
  assert.equal(bench.started, 2);
  await fails();
  assert.equal(bench.started, 2); // 1 s is not over
  clock.tick(1_000);
  await fails();
  assert.equal(bench.started, 3);
  clock.tick(1_000);
  await fails();
  assert.equal(bench.started, 3); // 2 s are not over
  await bench.write({}); // other definitions are tried at once
  await hosts.get("desk");
});

Deno.test("a crash interrupts what runs, and the next start is at once the first time", async () => {
  await using bench = await Bench.make();
  const { hosts } = bench;
  const host = await hosts.get("desk");
  const { outcome } = run(host, "effect");
  bench.running[0]!.die(137, "memory");
  await assert.rejects(outcome, (error: Error & { readonly kind?: string }) => {
    assert.deepEqual([error.kind, error.message], [
      "interrupted",
      "the thread host died: it ended with 137 (memory)",
    ]);
    return true;
  });
  assert.equal(hosts.current("desk"), undefined);
  assert.notEqual(await hosts.get("desk"), host);
});

Deno.test("a kill is at once, and no project and no definitions are told as such", async () => {
  await using bench = await Bench.make();
  const { hosts, root } = bench;
  const host = await hosts.get("desk");
  const { outcome } = run(host, "effect");
  host.kill("it is stuck");
  assert.equal(hosts.current("desk"), undefined);
  await assert.rejects(outcome, /the thread host was ended: it is stuck/);
  await assert.rejects(hosts.get("none"), /there is no project "none"/);
  await assert.rejects(hosts.check("none"), /there is no project "none"/);
  await Deno.remove(`${root}/desk/agents`, { recursive: true });
  await assert.rejects(hosts.get("desk"), /there is no folder of definitions/);
});

Deno.test("a closed daemon leaves nothing behind", async () => {
  const bench = await Bench.make();
  await bench.hosts.get("desk");
  const starting = bench.hosts.check("desk");
  await starting;
  await bench.hosts.close();
  assert.deepEqual([...Deno.readDirSync(`${bench.root}/r`)], []);
  await assert.rejects(bench.hosts.get("desk"), /handlerd is stopping/);
  await Deno.remove(bench.root, { recursive: true });
});
