import assert from "node:assert/strict";
import type { Json } from "../../base/mod.ts";
import type { FromHost, Invocation, ThreadSnapshot, ToHost, WireMessage } from "../../wire/mod.ts";
import type { ThreadState } from "../spec/state.ts";
import type { DefinitionFunctions } from "./definitions/mod.ts";
import { Host } from "./host.ts";

const THREAD: ThreadSnapshot = {
  threadId: "t1",
  agentId: "desk",
  userId: "ann",
  createdAt: 1,
  terminated: null,
  arguments: { a: 1 },
  children: [],
};
const MESSAGE: WireMessage = { id: "m1", role: "user", content: "hello", created_at: 2, status: null };
const HANDLE: Invocation = { kind: "handler", name: "it", message: MESSAGE };
const SET = { agents: [], prompts: [], models: [], tools: [], hooks: [], effects: [], handlers: [] };

type Call = FromHost & { readonly t: "call" };
type Handler = (state: ThreadState, message: WireMessage) => unknown;

/** A host whose daemon answers each call by `answer`; what it sends is kept. */
class Bench {
  readonly sent: FromHost[] = [];
  readonly host: Host;

  constructor(
    functions: Partial<DefinitionFunctions>,
    answer: (call: Call, bench: Bench) => ToHost | undefined = ({ call }) => ({ t: "ok", call }),
  ) {
    const all = { handlers: new Map(), tools: new Map(), effects: new Map(), hooks: new Map(), ...functions };
    this.host = new Host({
      loaded: { set: SET, problems: [], functions: all as DefinitionFunctions },
      folder: "/project",
      within: (_, work) => void work(),
      flushed: () => Promise.resolve(),
      send: (message) => {
        this.sent.push(JSON.parse(JSON.stringify(message)));
        if (message.t !== "call") return;
        const back = answer(message, this);
        if (back) setTimeout(() => this.host.take(back));
      },
    });
  }

  /** Runs something and waits until it has ended. */
  async run(what: Invocation, id = 1): Promise<FromHost> {
    this.host.take({ t: "run", id, thread: THREAD, execution: EXECUTION, what });
    for (;;) {
      const end = this.sent.find((message) =>
        (message.t === "done" || message.t === "failed") && message.id === id
      );
      if (end) return end;
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  calls(): readonly Call[] {
    return this.sent.filter((message) => message.t === "call");
  }
}

const EXECUTION = {
  flowId: "f",
  currentSide: "a",
  stepCount: 0,
  sideAStepCount: 0,
  sideBStepCount: 0,
  promptPath: [],
} as const;

function handling(execute: Handler, answer?: (call: Call, bench: Bench) => ToHost | undefined): Bench {
  return new Bench(
    { handlers: new Map([["it", execute as (state: unknown, message: unknown) => unknown]]) },
    answer,
  );
}

Deno.test("a handler sees the message and the thread as they were told, and what it gives goes nowhere", async () => {
  let seen: unknown;
  const bench = handling((state, message) => {
    seen = [
      message,
      state.threadId,
      state.agentId,
      state.userId,
      state.createdAt,
      state.terminated,
      state.arguments,
    ];
    return "an answer";
  });
  assert.deepEqual(await bench.run(HANDLE), { t: "done", id: 1 });
  assert.deepEqual(seen, [MESSAGE, "t1", "desk", "ann", 1, null, { a: 1 }]);
});

Deno.test("methods are calls with their arguments, usable apart from the state", async () => {
  const bench = handling(async (state) => {
    const { queueMessage, setValue } = state;
    await queueMessage({ role: "user", content: "x" });
    await setValue("k", { n: 1 });
    await setValue("k", undefined);
    await state.getMessages();
    await state.stopSession({ result: "done" });
    await state.writeFile("/a", new Uint8Array([104, 105]), "text/plain");
  });
  await bench.run(HANDLE);
  assert.deepEqual(bench.calls().map(({ thread, method, args }) => [thread, method, args]), [
    ["t1", "queueMessage", [{ role: "user", content: "x" }]],
    ["t1", "setValue", ["k", { n: 1 }]],
    ["t1", "setValue", ["k", null]],
    ["t1", "getMessages", [{}]],
    ["t1", "stopSession", [{ result: "done" }]],
    ["t1", "writeFile", ["/a", { $base64: "aGk=" }, "text/plain"]],
  ]);
});

Deno.test("an answer brings the children of the moment", async () => {
  const child = { reference: "c1", relationship: "helper" };
  const seen: unknown[] = [];
  const bench = handling(async (state) => {
    seen.push(state.children.length);
    await state.invokeTool("subagent_create", {});
    seen.push(state.children.map(({ reference }) => reference));
  }, ({ call }) => ({ t: "ok", call, value: {}, children: [child as never] }));
  await bench.run(HANDLE);
  assert.deepEqual(seen, [0, ["c1"]]);
});

Deno.test("a child's state asks the child", async () => {
  const bench = handling(async (state) => {
    assert.equal(await state.getChildThread("none"), null);
    const child = await state.getChildThread("c1");
    assert.deepEqual([child?.threadId, child?.execution], ["c1", null]);
    await child?.queueMessage({ role: "user", content: "go" });
  }, ({ call, method, args }) => {
    const value = method === "getChildThread" && args[0] === "c1" ? { ...THREAD, threadId: "c1" } : null;
    return { t: "ok", call, value: value as unknown as Json };
  });
  assert.equal((await bench.run(HANDLE)).t, "done");
  assert.deepEqual(bench.calls().map(({ thread, run }) => [thread, run]), [["t1", 1], ["t1", 1], ["c1", 1]]);
});

Deno.test("a refusal is thrown where it was asked, with its code", async () => {
  const bench = handling(async (state) => {
    const error = await state.getMessage("x").catch((error) => error);
    assert.deepEqual([error.name, error.message, error.code], ["Refused", "no", "because"]);
    assert.match(error.stack, /host_test\.ts/);
    await state.getMessage("x");
  }, ({ call }) => ({ t: "no", call, error: { name: "Refused", message: "no", code: "because" } }));
  const end = await bench.run(HANDLE);
  assert.equal(end.t === "failed" && end.error.code, "because");
});

Deno.test("what is thrown fails the run, whatever it is and whenever it is thrown", async () => {
  for (const thrown of [new Error("boom"), "boom", { toString: () => "x", toJSON: () => "boom" }]) {
    for (
      const execute of [() => {
        throw thrown;
      }, () => Promise.reject(thrown)] as Handler[]
    ) {
      const end = await handling(execute).run(HANDLE);
      assert.match(end.t === "failed" ? end.error.message : "", /boom/);
    }
  }
});

Deno.test("what nobody waited for is answered before the run ends, and fails it where it was fired", async () => {
  const bench = handling((state) => {
    void (async () => {
      await state.queueMessage({ role: "user", content: "1" });
      await state.queueMessage({ role: "user", content: "2" });
    })();
    state.emit("e", { n: 1 });
  });
  assert.equal((await bench.run(HANDLE)).t, "done");
  assert.deepEqual(bench.sent.map((message) => message.t === "call" ? message.method : message.t), [
    "begun",
    "queueMessage",
    "emit",
    "queueMessage",
    "done",
  ]);
  const refused = handling(
    (state) => state.queueTool("none"),
    ({ call }) => ({ t: "no", call, error: { name: "Error", message: "no tool" } }),
  );
  const end = await refused.run(HANDLE);
  assert.equal(end.t === "failed" && end.error.message, "no tool");
});

Deno.test("after its end a run may ask nothing more", async () => {
  let kept: ThreadState | undefined;
  const bench = handling((state) => void (kept = state));
  await bench.run(HANDLE);
  await assert.rejects(kept!.getMessage("x"), /getMessage was asked too late: the run is over/);
  assert.equal(bench.calls().length, 0);
});

Deno.test("a stop fires the signal, fails what waits and refuses the rest", async () => {
  const seen: string[] = [];
  const bench = handling(async (state) => {
    state.execution?.abortSignal.addEventListener("abort", () => seen.push("signal"));
    await state.invokeTool("long").catch((error) => seen.push(error.name));
    await state.getMessage("x").catch((error) => seen.push(error.message));
    throw new Error("stopped");
  }, ({ method }, { host }) => {
    if (method === "invokeTool") queueMicrotask(() => host.take({ t: "abort", id: 1, reason: "a person" }));
    return undefined;
  });
  assert.equal((await bench.run(HANDLE)).t, "failed");
  assert.deepEqual(seen, [
    "signal",
    "AbortError",
    "getMessage was asked too late: the run was stopped: a person",
  ]);
});

Deno.test("a tool gets what its schema made of the arguments, or fails with each place", async () => {
  const schema = {
    safeParseAsync: (value: unknown) =>
      Promise.resolve(
        (value as { n?: number }).n === 1 ? { success: true as const, data: { n: 2 } } : {
          success: false as const,
          error: { issues: [{ path: ["list", 0, "n"], message: "is wrong" }, { path: [], message: "bad" }] },
        },
      ),
  };
  const tool = { schema, execute: (_: unknown, args?: unknown) => ({ status: "success", args }) };
  const bench = new Bench({ tools: new Map([["t", tool]]) });
  const what = (args: Json): Invocation => ({ kind: "tool", name: "t", args, callId: null });
  assert.deepEqual(await bench.run(what({ n: 1 })), {
    t: "done",
    id: 1,
    value: { status: "success", args: { n: 2 } },
  });
  const end = await bench.run(what({}), 2);
  assert.deepEqual(end.t === "failed" && [end.error.name, end.error.message], [
    "ArgumentsError",
    "the arguments of the tool t do not fit: args.list[0].n: is wrong; args: bad",
  ]);
});

Deno.test("a hook gets its arguments, then for whom it runs; what is no JSON fails it", async () => {
  const seen: unknown[] = [];
  const hook = (execute: (...args: unknown[]) => unknown) => ({ hook: "h", execute });
  const bench = new Bench({
    hooks: new Map([
      ["keep", hook((_, ...rest) => void seen.push(...rest))],
      ["child", hook((state, child) => [state, child].map((one) => (one as ThreadState).threadId))],
      ["bad", hook(() => 1n)],
    ]),
  });
  const source = { kind: "prompt", promptName: "p" };
  assert.deepEqual(await bench.run({ kind: "hook", id: "keep", args: ["x"], source }), { t: "done", id: 1 });
  assert.deepEqual(seen, ["x", { source }]);
  const child = { ...THREAD, threadId: "c1" };
  const pair = await bench.run({ kind: "hook", id: "child", args: [], child, source }, 2);
  assert.deepEqual(pair, { t: "done", id: 2, value: ["t1", "c1"] });
  const bad = await bench.run({ kind: "hook", id: "bad", args: [], source }, 3);
  assert.equal(bad.t === "failed" && bad.error.message, "what the hook bad gave is no JSON");
});

Deno.test("values that JSON would change are refused before they are sent", async () => {
  const bench = handling((state) => state.setValue("k", { at: new Date() }));
  const end = await bench.run(HANDLE);
  assert.match(end.t === "failed" ? end.error.message : "", /value\.at is an instance of Date/);
  assert.equal(bench.calls().length, 0);
});

Deno.test("a file is read piece by piece", async () => {
  const pieces = ["b25l", "dHdv"];
  let text = "";
  const bench = handling(async (state) => {
    for await (const { data } of await state.readFileStream("/f") ?? []) {
      text += new TextDecoder().decode(data);
    }
  }, ({ call, args }) => {
    const index = Number(args[1]);
    const value = { data: { $base64: pieces[index]! }, index, totalChunks: 2, isLast: index === 1 };
    return { t: "ok", call, value };
  });
  assert.equal((await bench.run(HANDLE)).t, "done");
  assert.equal(text, "onetwo");
});

Deno.test("files are found and searched by what the daemon tells of them", async () => {
  const texts: Readonly<Record<string, string>> = {
    "/a.txt": "one\ntwo",
    "/b/c.txt": "two\0",
    "/d.md": "two",
  };
  const seen: unknown[] = [];
  const bench = handling(async (state) => {
    seen.push(await state.findFiles("*.txt"), await state.grepFiles("^tw"));
  }, ({ call, method, args }) => {
    const list = [...Object.keys(texts).map((path) => ({ path })), { path: "/b", isDirectory: true }];
    const value = method === "listFiles" ? list : { $base64: btoa(texts[String(args[0])] ?? "") };
    return { t: "ok", call, value: value as unknown as Json };
  });
  assert.equal((await bench.run(HANDLE)).t, "done");
  assert.deepEqual(seen, [{ paths: ["/a.txt", "/b/c.txt"] }, [
    { path: "/a.txt", matches: [{ line: 2, content: "two" }] },
    { path: "/d.md", matches: [{ line: 1, content: "two" }] },
  ]]);
});
