import assert from "node:assert/strict";
import type { LogRow } from "../client/mod.ts";
import { newRow } from "../../tests/fakes/thread_operations.ts";
import { TestCli } from "./testing.ts";

async function withThread(): Promise<TestCli> {
  const cli = new TestCli();
  const { code, out, err } = await cli.run("thread new relay_agent --project desk");
  assert.deepEqual([code, out, err], [0, "t1\n", 'next: handler thread send t1 "hello"\n']);
  return cli;
}

Deno.test("a thread is begun with arguments that are JSON or text", async () => {
  const cli = new TestCli();
  const words =
    "thread new relay_agent --project desk --person owner --title Talk --arg n=3 --arg t=x --json";
  const { thread } = JSON.parse((await cli.run(words)).out);
  assert.deepEqual([thread.title, thread.person], ["Talk", "owner"]);
  assert.equal((await cli.operations.thread("t1")).thread.arguments, '{"n":3,"t":"x"}');
  assert.equal((await cli.run("thread new relay_agent")).code, 2);
  assert.equal((await cli.run("thread new nobody --project desk")).code, 5);
});

Deno.test("send prints the message's id, or waits for the answer", async () => {
  const cli = await withThread();
  const sent = await cli.runWords(["thread", "send", "t1", "hello there"]);
  assert.deepEqual(sent, { code: 0, out: "m1\n", err: "next: handler thread watch t1\n" });
  const waited = await cli.runWords(["thread", "send", "t1", "-", "--wait"], { stdin: "zwei\nZeilen\n" });
  assert.deepEqual(waited, { code: 0, out: "echo: zwei\nZeilen\n", err: "" });
  assert.equal((await cli.runWords(["thread", "send", "t1", " "])).code, 2);
  assert.match((await cli.runWords(["thread", "send", "t1", "x", "--side", "c"])).err, /--side is a or b/);
});

Deno.test("who waits in vain is told, and may give up", async () => {
  const cli = await withThread();
  const { threadMap } = cli.operations;
  cli.operations.mute = true;
  const none = await cli.runWords(["thread", "send", "t1", "x", "--wait", "--timeout", "1"]);
  assert.equal(none.code, 75);
  assert.match(none.err, /there was no answer within 1 s; the thread goes on/);
  threadMap.get("t1")!.row.stopped = true;
  const stopped = await cli.runWords(["thread", "send", "t1", "y", "--wait"]);
  assert.deepEqual([stopped.code, stopped.out], [1, ""]);
  assert.match(stopped.err, /rests without an answer\nnext: handler thread log t1/);
});

Deno.test("files go with a message under names of their own", async () => {
  const cli = await withThread();
  const folder = await Deno.makeTempDir();
  try {
    cli.cwd = folder;
    await Deno.writeTextFile(`${folder}/scan.pdf`, "pdf");
    const words = ["thread", "send", "t1", "look", "--file", "scan.pdf"];
    await cli.runWords(words);
    await cli.runWords(words);
    assert.deepEqual(cli.operations.asked, [
      "put /attachments/scan.pdf application/pdf 3",
      "put /attachments/scan-2.pdf application/pdf 3",
    ]);
    assert.equal((await cli.runWords(["thread", "send", "t1", "x", "--file", "none.txt"])).code, 5);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("watch shows what was said and ends when nothing goes on", async () => {
  const cli = await withThread();
  await cli.runWords(["thread", "send", "t1", "one"]);
  await cli.runWords(["thread", "send", "t1", "two\u001b[2J"]);
  const { code, out } = await cli.run("thread watch t1 --until-idle");
  assert.equal(code, 0);
  assert.match(
    out,
    /^\S+ \S+ {2}user, with \n|^\S+ \S+ {2}user\n {2}one\n\S+ \S+ {2}assistant\n {2}echo: one\n/,
  );
  assert.ok(out.includes("two\ufffd[2J") && !out.includes("\u001b"));
  const all = await cli.run("thread watch t1 --from 0 --until-idle");
  assert.deepEqual(all.out.match(/echo: one/g)?.length, 1);
  const lines = (await cli.run("thread watch t1 --from 4 --until-idle --json")).out.trim().split("\n");
  assert.deepEqual(lines.map((line) => JSON.parse(line).id), [5, 7, 8]);
  assert.equal((await cli.run("thread watch t1 --from x")).code, 2);
  assert.equal((await cli.run("thread watch none")).code, 5);
});

Deno.test("watch writes an answer as it is made on a terminal alone", async () => {
  const cli = await withThread();
  const said = { type: "piece", depth: 0, prompt: "assistant", message: "m9" };
  cli.operations.tell("t1", { event: "delta", data: { ...said, at: 0, text: "Good " } });
  cli.operations.tell("t1", { event: "delta", data: { ...said, at: 5, text: "morning" } });
  cli.operations.tell("t1", { event: "delta", data: { ...said, type: "void" } });
  const shown = await cli.run("thread watch t1 --from 0 --until-idle", { columns: 80 });
  assert.match(shown.out, /^\S+ \S+ {2}assistant\n {2}Good morning … \(void\)\n$/);
  assert.equal((await cli.run("thread watch t1 --from 0 --until-idle")).out, "");
});

Deno.test("threads in lists, views, messages and logs", async () => {
  const cli = await withThread();
  await cli.runWords(["thread", "send", "t1", "hi"]);
  assert.match(
    (await cli.run("thread list")).out,
    /^THREAD +PROJECT.*\nt1 +desk +relay_agent +awaits a person +- /,
  );
  assert.match((await cli.run("thread list --project shop")).err, /no thread is like that/);
  assert.equal((await cli.run("thread list --status happy")).code, 2);
  assert.match((await cli.run("thread show t1")).out, /messages +2\nsession +none yet\n/);
  assert.match((await cli.run("thread messages t1 --limit 1")).out, /assistant\n {2}echo: hi\n$/);
  assert.match((await cli.run("thread log t1")).out, /turn of A +handler relay_pipe +done +2 ms/);
  cli.operations.threadMap.get("t1")!.logs.push(LOG);
  assert.match(
    (await cli.run("thread log t1")).out,
    /deadlock +assistant_agent +failed +- +it waits \(runtime\)/,
  );
  assert.equal(JSON.parse((await cli.run("thread log t1 --json")).out).log.length, 2);
});

const LOG: LogRow = {
  ...{ thread: "t1", seq: 9, rev: 9, id: "l9", turn: null, kind: "deadlock", name: "assistant_agent" },
  ...{ messageId: null, createdAt: 1, complete: true, latencyMs: null, data: "{}" },
  error: { message: "it waits", type: "deadlock", origin: "runtime" },
};

Deno.test("stop, continue, terminate, remove", async () => {
  const cli = await withThread();
  assert.match((await cli.run("thread stop t1")).out, /state +awaits a person, stopped/);
  assert.match((await cli.run("thread continue t1")).err, /^next: handler thread watch t1/);
  assert.match((await cli.run("thread terminate t1")).out, /state +terminated/);
  assert.equal((await cli.run("thread send t1 x")).code, 6);
  assert.equal((await cli.run("thread remove t1")).code, 2);
  const no = await cli.run("thread remove t1", { interactive: true, answer: "n" });
  assert.equal(no.code, 4);
  assert.deepEqual(cli.asked, ["Remove the thread t1 of relay_agent with 0 messages for good? [y/N]"]);
  assert.equal((await cli.run("thread remove t1 --yes")).code, 0);
  assert.equal((await cli.run("thread show t1")).code, 5);
});

Deno.test("a thread leaves as a file and comes back", async () => {
  const cli = await withThread();
  await cli.runWords(["thread", "send", "t1", "hi"]);
  const folder = cli.cwd = await Deno.makeTempDir();
  try {
    assert.equal((await cli.run("thread export t1 a.jsonl")).out, `${folder}/a.jsonl\n`);
    assert.equal((await cli.run("thread export t1 a.jsonl")).code, 6);
    const { out } = await cli.run("thread export t1");
    assert.equal(out, await Deno.readTextFile(`${folder}/a.jsonl`));
    assert.equal((await cli.run("thread import a.jsonl")).code, 6);
    await cli.run("thread remove t1 --yes");
    assert.equal((await cli.run("thread import - --project shop", { stdin: out })).out, "t1\n");
    assert.equal((await cli.operations.thread("t1")).thread.project, "shop");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("what waits for a person is listed and answered", async () => {
  const cli = await withThread();
  cli.operations.answer("t1", "Shall I?");
  assert.match((await cli.run("thread answer")).out, /t1 +relay_agent +- +\S+ \S+ +Shall I\?/);
  assert.match((await cli.run("thread answer --person bob")).err, /no thread waits for a person/);
  assert.equal((await cli.runWords(["thread", "answer", "t1", "yes", "--wait"])).out, "echo: yes\n");
  const typed = await cli.run("thread answer t1", { interactive: true, answer: "no" });
  assert.match(typed.err, /assistant\n {2}echo: yes\n/);
  assert.equal((await cli.run("thread answer t1")).code, 2);
});

Deno.test("definitions are listed, checked, and written as types", async () => {
  const cli = new TestCli();
  assert.match(
    (await cli.run("threads list desk")).out,
    /handler +relay_pipe +agents\/handlers\/relay_pipe.ts +-/,
  );
  assert.deepEqual((await cli.run("threads check desk")).err, "2 definitions, 0 errors, 0 warnings\n");
  cli.operations.definitionsView = {
    definitions: [],
    problems: [
      { where: "agents/agents/a.ts:sideA", message: "must be there", hint: null, severity: "error" },
      { where: "agents/b.ts", message: "is not read", hint: null, severity: "warning" },
    ],
  };
  const wrong = await cli.run("threads check desk");
  assert.deepEqual([wrong.code, wrong.out], [
    1,
    "agents/agents/a.ts:sideA: must be there\nagents/b.ts: warning: is not read\n",
  ]);
  const folder = await Deno.makeTempDir();
  try {
    await cli.operations.projectAdd({ name: "desk", path: folder, requires: [], privacy: "any" });
    assert.equal((await cli.run("threads types desk")).out, `${folder}/.agents/types.d.ts\n`);
    assert.equal(await Deno.readTextFile(`${folder}/.agents/types.d.ts`), "// desk\n");
    assert.equal((await cli.run("threads types none")).code, 5);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("ids of threads complete with their titles", async () => {
  const cli = await withThread();
  cli.operations.threadMap.get("t1")!.row.title = "Talk";
  assert.equal((await cli.runWords(["__complete", "thread", "show", ""])).out, "t1\tTalk\n");
  assert.equal(newRow("x").agent, "relay_agent");
});
