import assert from "node:assert/strict";
import { HandlerError, ProblemList, utf8 } from "../../src/base/mod.ts";
import { GREETED, inHome, logOf, logUntil, shellAgent } from "./support.ts";

for (const driver of ["bubblewrap", "podman"] as const) {
  Deno.test(`${driver}: an agent works in its own folder, sees its services, and nothing else of the machine`, async () => {
    const script = [
      "pwd; cat note.txt; echo done > result.txt; echo home > $HOME/kept",
      "echo prompt=$HANDLER_PROMPT last=$1 mark=$MARK path=$PATH session=$HANDLER_SESSION",
      "ls /opt/handler/bin /opt/handler/skills/ocr $HANDLER_SERVICES; cat $HANDLER_SKILLS/ocr/SKILL.md",
      GREETED,
      "echo '{}' | handler-service nothing",
      "ls -d /root/.ssh /work /proc/1/root/etc/shadow 2>/dev/null; cat /proc/net/dev | grep -c eth",
      "exit 3",
    ].join("\n");
    await inHome({ clerk: shellAgent(script, 'env = { MARK = "x" }') }, async ({ agents, folders }, home) => {
      await Deno.writeTextFile(`${home}/work/note.txt`, "the note\n");
      const session = await agents.run("clerk", { prompt: "read it" });
      assert.equal(session.state, "running");
      const log = await logOf(agents, session.id);
      const lines = log.split("\n");
      assert.deepEqual(lines.slice(0, 2), [`${home}/work`, "the note"]);
      assert.match(
        log,
        new RegExp(`prompt=read it last=read it mark=x path=/opt/handler/bin:.* session=${session.id}`),
      );
      for (
        const name of [
          "handler",
          "handler-call",
          "handler-llm",
          "handler-service",
          "SKILL.md",
          "ocr.sock",
          "# How to use ocr",
        ]
      ) {
        assert.ok(log.includes(name), name);
      }
      assert.match(log, new RegExp(`agent:clerk ${session.id} scans`));
      assert.match(log, /no service "nothing" here; this sandbox has: ocr/);
      assert.match(log, /\n0\n$/);
      const ended = await agents.wait(session.id);
      assert.deepEqual([ended.state, ended.exitCode, ended.driver], ["exited", 3, driver]);
      assert.ok((ended.endedAt ?? 0) >= ended.startedAt);
      assert.equal(Deno.readTextFileSync(`${home}/work/result.txt`), "done\n");
      assert.equal(Deno.readTextFileSync(`${folders.data}/agents/clerk/home/kept`), "home\n");
      assert.deepEqual([...Deno.readDirSync(`${folders.runtime}/s`)], []);
      assert.equal(await logOf(agents, session.id.slice(-6)), log);
      assert.deepEqual(agents.list({ all: false }), []);
      assert.deepEqual(agents.list({ all: true }).map(({ id }) => id), [session.id]);
    }, driver);
  });
}

Deno.test("a session without a prompt takes input, its log is followed while it runs, and it is stopped whole", async () => {
  const script = "sleep 1000 & echo ready; while read line; do echo got $line; done";
  await inHome({ clerk: shellAgent(script) }, async ({ agents }) => {
    const { id } = await agents.run("clerk", {});
    await logUntil(agents, id, "ready");
    await agents.write(id, utf8("first\n"));
    await agents.write(id, utf8("second\n"));
    const text = await logUntil(agents, id, "got second");
    assert.match(text, /^ready\ngot first\ngot second\n$/);
    const stopped = await agents.stop(id);
    assert.equal(stopped.state, "stopped");
    assert.equal(await logOf(agents, id), text);
    assert.equal((await agents.stop(id)).state, "stopped");
    await assert.rejects(agents.write(id, utf8("x")), /has ended/);
  });
});

Deno.test("a session with a prompt reads nothing and says so to who writes", async () => {
  await inHome({ clerk: shellAgent("cat; echo end of input; sleep 1000") }, async ({ agents }) => {
    const { id } = await agents.run("clerk", { prompt: "go" });
    await logUntil(agents, id, "end of input");
    await assert.rejects(agents.write(id, utf8("x")), /takes no input/);
    await agents.stop(id);
  });
});

Deno.test("a secret that is alive does not reach a session's log or any file beside it", async () => {
  const canary = "canary-7f3a9b-value";
  await inHome(
    { clerk: shellAgent(`printf 'canary-7f'; sleep 0.2; echo 3a9b-value; sleep 0.1`) },
    async (daemon) => {
      const { agents, secrets, folders } = daemon;
      await secrets.set("key", utf8(canary));
      using _lease = await secrets.resolve({ kind: "store", name: "key" }, "api_key");
      const { id } = await agents.run("clerk", { prompt: "x" });
      assert.equal(await logOf(agents, id), "[secret:api_key]\n");
      await agents.wait(id);
      const { stdout } = await new Deno.Command("grep", {
        args: ["-rlc", canary, folders.state, folders.runtime],
      }).output();
      assert.equal(new TextDecoder().decode(stdout), "");
    },
  );
});

Deno.test("a required interface without a binding stops the start and is named, with all else that is wrong", async () => {
  const agent = (services: string) => `harness = "command"\ncommand = ["true"]\nservices = { ${services} }`;
  await inHome({ clerk: agent(""), other: agent("") }, async (daemon, home) => {
    const { agents, folders } = daemon;
    await assert.rejects(agents.run("clerk", {}), (error) => {
      assert.ok(error instanceof HandlerError);
      assert.match(error.message, /project books requires ocr\/v1.*agent clerk has a binding for ocr/);
      assert.equal(error.where?.key, "services.ocr");
      return true;
    });
    await Deno.remove(`${home}/work`);
    await assert.rejects(agents.run("other", {}), (error) => {
      assert.ok(error instanceof ProblemList);
      assert.equal(error.problems.length, 2);
      return true;
    });
    assert.equal((await agents.problems("other")).length, 2);
    await assert.rejects(agents.run("nobody", {}), /no agent "nobody"/);
    assert.deepEqual(agents.list({ all: true }), []);
    assert.deepEqual(await Array.fromAsync(Deno.readDir(folders.runtime)).catch(() => []), []);
  });
});

Deno.test("a program that is not there fails the session and leaves nothing behind", async () => {
  const agent = 'harness = "command"\ncommand = ["/no/such/program"]\nservices = { ocr = "scans" }';
  await inHome({ clerk: agent }, async ({ agents, folders }) => {
    const { id } = await agents.run("clerk", {});
    const ended = await agents.wait(id);
    assert.notEqual(ended.exitCode, 0);
    assert.match(await logOf(agents, id), /no such|not found/i);
    assert.deepEqual([...Deno.readDirSync(`${folders.runtime}/s`)], []);
  });
});

Deno.test("an external agent has sockets and a scope, no process; they are opened once", async () => {
  await inHome({ desk: 'harness = "external"\nservices = { ocr = "scans" }' }, async ({ agents, store }) => {
    const [one, two] = await Promise.all([agents.external("desk"), agents.external("desk")]);
    assert.equal(one.session.id, two.session.id);
    assert.deepEqual(one.services, ["ocr"]);
    const connection = await Deno.connect({ transport: "unix", path: `${one.folder}/ocr.sock` });
    const bytes = new Uint8Array(200);
    const text = new TextDecoder().decode(bytes.subarray(0, await connection.read(bytes) ?? 0));
    assert.equal(text, `agent:desk ${one.session.id} scans\n`);
    connection.close();
    await assert.rejects(agents.run("desk", {}), /external/);
    assert.equal((await agents.stop(one.session.id)).state, "stopped");
    assert.equal(store.sessions.get(one.session.id)?.logPath, null);
    assert.notEqual((await agents.external("desk")).session.id, one.session.id);
  });
});

Deno.test("a changed selection counts at the next call of a session that runs", async () => {
  const script = `${GREETED}; read line; ${GREETED}`;
  await inHome({ clerk: shellAgent(script) }, async ({ agents, reload, folders }) => {
    const { id } = await agents.run("clerk", {});
    await logUntil(agents, id, "scans");
    const file = `${folders.config}/agents/clerk.toml`;
    await Deno.writeTextFile(file, Deno.readTextFileSync(file).replace('"scans"', '["other", "scans"]'));
    await reload();
    await agents.write(id, utf8("\n"));
    assert.match(await logOf(agents, id), new RegExp(`scans\nagent:clerk ${id} other,scans\n`));
  });
});

Deno.test("a session that ended long ago is forgotten with its log, one that runs is not", async () => {
  await inHome(
    { clerk: shellAgent("echo $1; [ $1 = stay ] && sleep 1000") },
    async ({ agents, store, folders }) => {
      const old = await agents.run("clerk", { prompt: "go" });
      await agents.wait(old.id);
      const fresh = await agents.run("clerk", { prompt: "go" });
      await agents.wait(fresh.id);
      const running = await agents.run("clerk", { prompt: "stay" });
      store.sessions.update(old.id, { endedAt: Date.now() - 40 * 24 * 3600 * 1000 });
      assert.equal(await agents.prune(30), 1);
      assert.deepEqual(agents.list({ all: true }).map(({ id }) => id), [running.id, fresh.id]);
      assert.deepEqual([...Deno.readDirSync(`${folders.state}/sessions`)].length, 2);
      await agents.stop(running.id);
    },
  );
});
