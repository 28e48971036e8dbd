import assert from "node:assert/strict";
import { ProblemList } from "../../src/base/mod.ts";
import type { DriverName } from "../../src/sandbox/mod.ts";
import { HostFailure } from "../../src/threads/ports.ts";
import { onDriver } from "../sandbox/support.ts";
import { GUEST, handle, handler, type HostHome, hostHome, run } from "./host_home.ts";

const DRIVERS: readonly DriverName[] = ["bubblewrap", "podman", "deno"];

const ADD = `import { defineTool } from "@standardagents/spec";
import { z } from "zod";
export default defineTool({
  description: "adds",
  args: z.object({ a: z.number(), b: z.number() }),
  execute: async (_state, { a, b }) => ({ status: "success", result: String(a + b) }),
});
`;

for (const driver of DRIVERS) {
  onDriver(
    driver,
    "a project's functions run, ask their thread, and are told what they may not",
    async () => {
      await using home = await hostHome(driver, {
        "handlers/echo.ts": handler(`
        const { id } = await state.injectMessage({ role: "assistant", content: message.content });
        await state.setValue("last", id);
      `),
        "handlers/peek.ts": handler(`
        const tried = [
          () => Deno.readTextFile("/etc/passwd"),
          () => Deno.connect({ hostname: "127.0.0.1", port: 80 }),
          () => new Deno.Command("/bin/true").output(),
          () => Deno.writeTextFile(import.meta.filename, "x"),
        ];
        const results = await Promise.all(tried.map((one) => Promise.resolve().then(one).then(() => "done", (e) => e.name)));
        await state.setValue("tried", results);
      `),
        "tools/add.ts": ADD,
      });
      const host = await home.hosts.get("desk");
      assert.deepEqual(host.problems, []);
      assert.deepEqual(host.definitions.handlers.map(({ name }) => name), ["echo", "peek"]);
      assert.deepEqual(host.definitions.tools.map(({ name }) => name), ["add"]);
      const calls: unknown[] = [];
      await run(host, handle("echo"), ({ origin, thread, method, args }) => {
        calls.push([origin, thread, method, args]);
        return method === "injectMessage" ? { value: { id: "m2" } } : Promise.resolve({});
      }).outcome;
      assert.deepEqual(calls, [
        ["t1", "t1", "injectMessage", [{ role: "assistant", content: "hello" }]],
        ["t1", "t1", "setValue", ["last", "m2"]],
      ]);
      let tried: unknown;
      await run(host, handle("peek"), ({ args }) => {
        tried = args[1];
        return {};
      }).outcome;
      assert.deepEqual(tried, ["NotCapable", "NotCapable", "NotCapable", "NotCapable"]);
      const add = (args: { readonly [key: string]: number | string }) =>
        run(host, { kind: "tool", name: "add", args, callId: null }).outcome;
      assert.deepEqual(await add({ a: 1, b: 2 }), { status: "success", result: "3" });
      await assert.rejects(add({ a: 1, b: "2" }), (error: HostFailure) => {
        assert.equal(error.error.code, "invalid_arguments");
        assert.match(error.message, /^the arguments of the tool add do not fit: args\.b: /);
        return true;
      });
    },
  );
}

/** A test under bubblewrap, in a home with these definitions. */
function inHost(
  name: string,
  files: Readonly<Record<string, string>>,
  test: (home: HostHome) => Promise<void>,
  idleMs = 60_000,
): void {
  onDriver("bubblewrap", name, async () => {
    await using home = await hostHome("bubblewrap", files, { idleMs: () => idleMs });
    await test(home);
  });
}

inHost(
  "many askers share one start, and an idle host ends",
  { "handlers/it.ts": handler("") },
  async (home) => {
    const leave = home.hosts.use("desk");
    const all = await Promise.all(Array.from({ length: 20 }, () => home.hosts.get("desk")));
    assert.deepEqual([new Set(all).size, home.started()], [1, 1]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(home.hosts.current("desk"), all[0]); // somebody uses it
    leave();
    while (home.hosts.current("desk")) await new Promise((resolve) => setTimeout(resolve, 150));
    await assert.rejects(run(all[0]!, handle("it")).outcome, HostFailure);
    assert.notEqual(await home.hosts.get("desk"), all[0]);
  },
  100,
);

inHost(
  "a crash fails the runs under way with the last words of the log, and the next start is another host",
  {
    "handlers/wait.ts": handler(`await state.invokeTool("never")`),
    "handlers/die.ts": handler(
      `console.log("farewell"); const all = []; for (;;) all.push(new Array(1e6).fill(1.5));`,
    ),
  },
  async (home) => {
    const host = await home.hosts.get("desk");
    const waits = run(host, handle("wait"), () => new Promise(() => {})).outcome;
    const dies = run(host, handle("die")).outcome;
    for (const outcome of [waits, dies]) {
      await assert.rejects(outcome, (error: HostFailure) => {
        assert.equal(error.kind, "interrupted");
        assert.match(error.message, /^the thread host died: it ended with \d+ \(memory\)\n/);
        return true;
      });
    }
    assert.match(await home.log(), /^\[t1\] farewell$/m);
    assert.equal(home.hosts.current("desk"), undefined);
    assert.notEqual(await home.hosts.get("desk"), host);
  },
);

inHost("what project code lets fall does not end the host, and is in the log with its thread", {
  "handlers/fall.ts": handler(`
    setTimeout(() => { throw new Error("dropped later"); }, 1);
    void Promise.reject(new Error("dropped promise"));
    try { Deno.exit(1); } catch (error) { console.warn(error.message); }
    await new Promise((resolve) => setTimeout(resolve, 20));
  `),
  "handlers/say.ts": handler(`console.log("said", { by: message.content });`),
}, async (home) => {
  const host = await home.hosts.get("desk");
  await run(host, handle("fall")).outcome;
  await run(host, handle("say")).outcome;
  const log = await home.log();
  assert.match(log, /^\[t1\] nobody caught: Error: dropped promise$/m);
  assert.match(log, /nobody caught: Error: dropped later$/m);
  assert.match(log, /^\[t1\] a definition does not end the process/m);
  assert.match(log, /^\[t1\] said \{ by: "hello" \}$/m);
});

inHost("a function that does not end after its stop takes its host with it", {
  "handlers/loop.ts": handler(`for (;;);`),
  "handlers/polite.ts": handler(`
    await new Promise((resolve, reject) => state.execution.abortSignal.addEventListener("abort", () =>
      reject(state.execution.abortSignal.reason)));
  `),
}, async (home) => {
  const host = await home.hosts.get("desk");
  const polite = run(host, handle("polite"));
  polite.abort("a person said so");
  await assert.rejects(polite.outcome, (error: HostFailure) => {
    assert.deepEqual([error.kind, error.error.name, error.message], [
      "thrown",
      "AbortError",
      "a person said so",
    ]);
    return true;
  });
  const loop = run(host, handle("loop"));
  loop.abort("the turn took too long");
  await assert.rejects(loop.outcome, /did not end within 5 s after it was stopped/);
});

inHost("changed definitions make a new host, and the old one finishes what it runs", {
  "handlers/it.ts": handler(`await state.getValue("gate"); await state.setValue("version", 1);`),
}, async (home) => {
  const versions: unknown[] = [];
  const gate = Promise.withResolvers<void>();
  const keep = async (method: string, value: unknown) => {
    if (method === "getValue") await gate.promise;
    else versions.push(value);
    return {};
  };
  const leave = home.hosts.use("desk");
  const before = await home.hosts.get("desk");
  const first = run(before, handle("it"), ({ method, args }) => keep(method, args[1]));
  await home.write({ "handlers/it.ts": handler(`await state.setValue("version", 2);`) });
  await new Promise((resolve) => setTimeout(resolve, 250));
  assert.equal(home.hosts.current("desk"), undefined);
  const after = await home.hosts.get("desk");
  assert.notEqual(after, before);
  await run(after, handle("it"), ({ method, args }) => keep(method, args[1])).outcome;
  gate.resolve();
  await first.outcome;
  assert.deepEqual(versions, [2, 1]);
  leave();
});

inHost("definitions with errors leave the host as it is and are told; mended ones take its place", {
  "handlers/it.ts": handler(""),
}, async (home) => {
  const before = await home.hosts.get("desk");
  await home.write({ "agents/bad.ts": `export default 1 +;` });
  await new Promise((resolve) => setTimeout(resolve, 250));
  assert.equal(await home.hosts.get("desk"), before);
  assert.deepEqual(before.problems.map(({ file }) => file), ["agents/agents/bad.ts"]);
  assert.ok(home.lines.some((line) => line.includes("definitions of desk")));
  await new Promise((resolve) => setTimeout(resolve, 250));
  assert.equal(home.hosts.current("desk"), before);
  assert.equal(home.started(), 2);
  await Deno.remove(`${home.project}/agents/agents/bad.ts`);
  await new Promise((resolve) => setTimeout(resolve, 250));
  const after = await home.hosts.get("desk");
  assert.notEqual(after, before);
  assert.deepEqual(after.problems, []);
});

inHost("definitions that are wrong from the start are told all at once, and tried again once they change", {
  "handlers/bad.ts": `export default 1 +;`,
  "tools/bad.ts": `import "left-pad";`,
}, async (home) => {
  const { problems } = await home.hosts.check("desk");
  assert.deepEqual(problems.map(({ file, severity }) => [file, severity]), [
    ["agents/handlers/bad.ts", "error"],
    ["agents/tools/bad.ts", "error"],
  ]);
  for (let count = 0; count < 2; count++) {
    await assert.rejects(home.hosts.get("desk"), (error: ProblemList) => {
      assert.deepEqual(error.problems.map(({ where }) => where?.file), [
        "agents/handlers/bad.ts",
        "agents/tools/bad.ts",
      ]);
      return true;
    });
  }
  assert.equal(home.started(), 2);
  await home.write({ "handlers/bad.ts": handler(""), "tools/bad.ts": ADD });
  assert.deepEqual((await home.hosts.get("desk")).problems, []);
});

inHost("a link among the definitions, or in their place, shows a host nothing", {
  "handlers/it.ts": handler(""),
}, async (home) => {
  await Deno.symlink("/etc/passwd", `${home.project}/agents/handlers/leak.ts`);
  await assert.rejects(home.hosts.get("desk"), /it is a link/);
  await Deno.remove(`${home.project}/agents`, { recursive: true });
  await Deno.symlink("/etc", `${home.project}/agents`);
  await assert.rejects(home.hosts.get("desk"), /there is no folder of definitions/);
});

inHost("code that a function runs has no permissions, and ends with it", {
  "handlers/it.ts": handler(`
    const good = await state.runCode("report(1); console.log('a', input); return { x: input + 1 }", { input: 1 });
    const bad = await state.runCode("return Deno.readTextFileSync('/run/handler/threads.sock')");
    const long = state.runCode("for (;;);", { timeoutMs: 50 });
    await state.setValue("seen", [
      good.status, good.result, good.logs, good.reports, bad.status, /read access/.test(bad.error),
      long.running, (await long).status, long.running,
    ]);
    state.runCode("for (;;);");
  `),
}, async (home) => {
  let seen: unknown;
  await run(await home.hosts.get("desk"), handle("it"), ({ args }) => {
    seen = args[1];
    return {};
  }).outcome;
  assert.deepEqual(seen, ["success", { x: 2 }, ["a 1"], [1], "error", true, true, "timeout", false]);
});

inHost("a host's last words are its own, not those of the host before", {
  "handlers/it.ts": handler(`
    if (message.content !== "quiet") console.log("a word before the end");
    const kept = [];
    for (;;) kept.push(new Uint8Array(5e7).fill(1));
  `),
}, async (home) => {
  const end = async (content: string) => {
    const host = await home.hosts.get("desk");
    return await run(host, handle("it", content)).outcome.then(() => "", (error) => String(error.message));
  };
  assert.match(await end("loud"), /died: .*\n.*a word before the end/);
  assert.doesNotMatch(await end("quiet"), /a word before the end/);
});

Deno.test("the guest programs are built", async () => {
  for (const file of ["thread_host.js", "spec.js", "zod.js"]) {
    assert.ok((await Deno.stat(`${GUEST}/${file}`)).size > 0);
  }
});
