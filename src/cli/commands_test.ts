import assert from "node:assert/strict";
import { HandlerError, utf8, utf8Text } from "../base/mod.ts";
import { TestCli } from "./testing.ts";

Deno.test("a change shows the new state and the sensible next command", async () => {
  const cli = new TestCli();
  cli.cwd = "/home/x";
  const project = await cli.run("project add books ./books --requires ocr/v1 --privacy local");
  assert.match(project.out, /folder {4}\/home\/x\/books\n/);
  assert.match(project.err, /next: handler agent add NAME --project books/);
  const binding = await cli.run(
    "binding add ocr-local --connector ocr-tesseract --set workers=2 --secret k=store:a=b",
  );
  assert.match(binding.out, /setting {4}workers = 2\nsecret {5}k from store:a=b\n/);
  assert.match(binding.err, /next: handler connector check ocr-tesseract --binding ocr-local/);
  const agent = await cli.run(
    "agent add clerk --project books --service ocr=ocr-local,other -- sh -c --json",
  );
  assert.match(agent.out, /command {2}sh -c --json\nservice {2}ocr: ocr-local, then other\n/);
  assert.match(agent.err, /next: handler run clerk/);
  const swapped = await cli.run("agent select clerk ocr other");
  assert.match(swapped.out, /service {2}ocr: other\n/);
  assert.match(
    (await cli.run("binding select ocr-local --project books")).out,
    /service {3}ocr: ocr-local\n/,
  );
});

Deno.test("selecting needs bindings or --clear, and one owner", async () => {
  const cli = new TestCli();
  await cli.populate();
  assert.equal((await cli.run("agent select clerk ocr")).code, 2);
  assert.equal((await cli.run("agent select clerk ocr ocr-local --clear")).code, 2);
  assert.equal((await cli.run("binding select ocr-local")).code, 2);
  assert.equal((await cli.run("binding select ocr-local --agent clerk --project books")).code, 2);
  const missing = await cli.run("binding select ocr-locl --agent clerk");
  assert.deepEqual([missing.code, missing.err], [
    5,
    'handler: there is no binding "ocr-locl"\nhint: did you mean ocr-local?\n',
  ]);
});

Deno.test("what cannot be is refused by the daemon and told", async () => {
  const cli = new TestCli();
  await cli.populate();
  assert.equal((await cli.run("binding add ocr-local --connector ocr-tesseract")).code, 6);
  assert.equal((await cli.run("binding add x --connector nothing")).code, 5);
  assert.equal((await cli.run("binding remove nothing")).code, 5);
  assert.equal((await cli.run("image pull")).code, 75);
  assert.match((await cli.run("binding add x --connector c --set nothing")).err, /--set takes NAME=VALUE/);
  assert.match(
    (await cli.run("project add p /p --privacy some")).err,
    /--privacy is local or any, found "some"/,
  );
});

Deno.test("a secret comes from stdin or a file, and is never shown", async () => {
  const cli = new TestCli();
  const kept = (name: string) => utf8Text(cli.operations.secretMap.get(name) ?? new Uint8Array());
  const { code, out, err } = await cli.run("secret set key", { stdin: "s3cret\n" });
  assert.deepEqual([code, out], [0, ""]);
  assert.doesNotMatch(err, /s3cret/);
  assert.equal(kept("key"), "s3cret");
  await cli.run("secret set key", { stdin: "s3cret\r\n" });
  assert.equal(kept("key"), "s3cret");
  await cli.run("secret set key --exact", { stdin: "s3cret\n\n" });
  assert.equal(kept("key"), "s3cret\n\n");
  assert.equal((await cli.run("secret set key", { stdin: "\n" })).code, 2);
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/key.txt`, "of a file\n");
  cli.cwd = folder;
  await cli.run("secret set key --file key.txt");
  assert.equal(kept("key"), "of a file");
  assert.match((await cli.run("secret set key", { stdin: "x", interactive: true })).err, /type the value/);
  const typed = await cli.run("secret set key s3cret");
  assert.equal(typed.code, 2);
  assert.doesNotMatch(typed.err, /s3cret/);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("trust shows what there is to see before it asks", async () => {
  const cli = new TestCli();
  const hash = "b".repeat(64);
  cli.operations.trustViews = [{
    kind: "interface",
    name: "notes/v1",
    hash,
    trustedHash: null,
    text: "Read\u202eme",
  }];
  const unasked = await cli.run("trust notes/v1");
  assert.equal(unasked.code, 2);
  assert.equal(unasked.out, `interface notes/v1, hash ${hash}\n  | Read\ufffdme\n`);
  assert.match(unasked.err, /nobody can be asked/);
  const refused = await cli.run("trust notes/v1", { interactive: true, answer: "" });
  assert.equal(refused.code, 4);
  assert.deepEqual(cli.asked, ["Trust the interface notes/v1? [y/N]"]);
  assert.deepEqual(cli.operations.trusted, []);
  assert.equal((await cli.run(`trust notes/v1 --yes --hash ${"c".repeat(64)}`)).code, 6);
  assert.equal((await cli.run("trust notes/v1", { interactive: true, answer: "y" })).code, 0);
  assert.equal((await cli.run("trust notes/v1 --yes")).code, 0);
  assert.deepEqual(cli.operations.trusted, Array(2).fill(`interface notes/v1 ${hash}`));
});

Deno.test("a check tells each case while it runs, and fails with its report", async () => {
  const cli = new TestCli();
  const { code, out, err } = await cli.run("connector check ocr-tesseract");
  assert.equal(code, 1);
  assert.equal(err, "ocr/v1: invoice text: passed\nocr/v1: rejects a zip: failed\n");
  assert.equal(
    out,
    "passed  ocr/v1  invoice text  310 ms\nfailed  ocr/v1  rejects a zip  5 ms\n" +
      "        the error is too_large\nocr-tesseract with ocr-local: failed, 1 of 2 cases passed\n",
  );
});

Deno.test("calls are asked for with the person's filters", async () => {
  const cli = new TestCli();
  await cli.run("calls --agent clerk --interface ocr/v1 --since 1h --failed --limit 7");
  assert.deepEqual(cli.operations.queries, [{
    caller: "agent:clerk",
    interfaceId: "ocr/v1",
    failedOnly: true,
    since: 1_700_000_300_000 - 3_600_000,
    limit: 7,
  }]);
  assert.equal((await cli.run("calls --limit 0")).code, 2);
  assert.equal((await cli.run("calls --since yesterday")).code, 2);
  const { out } = await cli.run("calls");
  const [head, first, second] = out.split("\n");
  assert.match(head ?? "", /^TIME +CALLER +TOOL +BINDING +TOOK +IN +OUT +UNITS +HOSTS +OUTCOME$/);
  assert.match(
    first ?? "",
    /agent:clerk {2}ocr_extract {2}ocr-local {2}313 ms {2}2.0 kB {2}4.1 kB {2}1 pages {2}- +ok$/,
  );
  assert.match(second ?? "", /unavailable: the property extra is not in the schema$/);
});

Deno.test("run shows what the agent writes and how it ended", async () => {
  const cli = new TestCli();
  await cli.populate();
  const good = await cli.runWords(["run", "clerk", "sort the invoices"]);
  assert.deepEqual([good.code, good.out], [0, "line one\nline two\n"]);
  assert.deepEqual(cli.operations.inputs, ["sort the invoices"]);
  cli.operations.exitCode = 9;
  const bad = await cli.run("run clerk");
  assert.equal(bad.code, 1);
  assert.match(bad.err, /the session s2 is failed with the exit code 9/);
  const detached = await cli.run("run clerk --detach");
  assert.match(detached.out, /^session {3}s3\n/);
  assert.match(detached.err, /next: handler attach s3/);
  assert.equal((await cli.run("run nobody")).code, 5);
});

Deno.test("a session is followed over a restart of the daemon, each byte once", async () => {
  const cli = new TestCli();
  await cli.populate();
  const log = cli.operations.sessionLog.bind(cli.operations);
  const offsets: number[] = [];
  cli.operations.sessionLog = async function* (id, from, follow, signal) {
    offsets.push(from);
    if (offsets.length === 1) {
      yield utf8("line ");
      throw new HandlerError("unreachable", "handlerd closed the connection");
    }
    if (offsets.length === 2) throw new HandlerError("unreachable", "nobody answers");
    yield* log(id, from, follow, signal);
  };
  const { code, out, err } = await cli.run("run clerk");
  assert.deepEqual([code, out, offsets], [0, "line one\nline two\n", [0, 5, 5]]);
  assert.equal(err.match(/handlerd went away/g)?.length, 1);
});

Deno.test("attach sends on what is typed, log shows what was written, stop ends", async () => {
  const cli = new TestCli();
  await cli.populate();
  await cli.run("run clerk --detach");
  assert.equal((await cli.run("log s1")).out, "line one\nline two\n");
  await cli.run("attach s1 --stdin", { stdin: "hello\n" });
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(cli.operations.inputs, ["hello\n"]);
  await cli.run("run clerk --detach");
  await cli.run("attach s2 --read-only", { stdin: "no\n", interactive: true });
  assert.deepEqual(cli.operations.inputs, ["hello\n"]);
  assert.match((await cli.run("stop s2")).out, /state {5}stopped/);
  assert.equal((await cli.run("attach none")).code, 5);
});

Deno.test("a stub is written where it is told, never over what is there", async () => {
  const cli = new TestCli();
  cli.data = await Deno.makeTempDir();
  const { code, out, err } = await cli.run("interface stub ocr/v1 ocr-mine");
  const folder = `${cli.data}/connectors/ocr-mine`;
  assert.deepEqual([code, out], [0, `${folder}/connector.toml\n${folder}/main.ts\n`]);
  assert.match(err, /then handler trust ocr-mine/);
  assert.equal(await Deno.readTextFile(`${folder}/connector.toml`), 'name = "ocr-mine"\n');
  assert.equal((await cli.run("interface stub ocr/v1 ocr-mine")).code, 6);
  await Deno.remove(cli.data, { recursive: true });
});

Deno.test("a folder to check is found from where the person stands", async () => {
  const cli = new TestCli();
  const targets: string[] = [];
  cli.operations.interfaceCheck = (target) => Promise.resolve((targets.push(target), []));
  for (const word of ["ocr/v1", "./ocr/v1", "notes", "/abs/x", "../v1"]) {
    await cli.run(`interface check ${word}`);
  }
  assert.deepEqual(targets, ["ocr/v1", "/work/ocr/v1", "/work/notes", "/abs/x", "/v1"]);
});

Deno.test("doctor works without the daemon, and a failed check is exit code 1", async () => {
  const cli = new TestCli();
  cli.operations.status = () =>
    Promise.reject(new HandlerError("unreachable", "nobody", { hint: "start it" }));
  const away = await cli.run("doctor");
  assert.equal(away.code, /^failed/m.test(away.out) ? 1 : 0); // the machine is a real one
  assert.match(away.out, /warning {2}daemon: handlerd does not run/);
  assert.match(away.out, /^\w+ +sandbox podman/m);
  const bad = new TestCli();
  bad.operations.doctor = () =>
    Promise.resolve([{ name: "sandbox", state: "failed", detail: "no", hint: "do this" }]);
  const found = await bad.run("doctor");
  assert.equal(found.code, 1);
  assert.match(found.out, /failed {3}sandbox: no\n {9}do this\n/);
});

Deno.test("doctor tells of a daemon that does not answer, and of checks that fail as a whole", async () => {
  const cli = new TestCli();
  cli.operations.doctor = () => Promise.reject(new HandlerError("internal", "the checks broke"));
  const broken = await cli.run("doctor");
  assert.equal(broken.code, 1);
  assert.match(broken.out, /failed {3}the daemon's checks: .*the checks broke/);
});

Deno.test("shutdown waits until the daemon is gone", async () => {
  const cli = new TestCli();
  let asked = 0;
  const status = cli.operations.status.bind(cli.operations);
  cli.operations.status = () => {
    if (++asked < 3) return status();
    return Promise.reject(new HandlerError("unreachable", "gone"));
  };
  const { code, err } = await cli.run("shutdown");
  assert.deepEqual([code, err, cli.operations.stopped], [0, "handlerd has ended\n", true]);
});

Deno.test("calls are followed: the ones of now, then each new one once", async () => {
  const cli = new TestCli();
  const all = cli.operations.callViews;
  const answers = [all.slice(0, 1), all];
  cli.operations.calls = (query) => {
    cli.operations.queries.push(query);
    const next = answers.shift();
    if (!next) return Promise.reject(new HandlerError("unreachable", "gone"));
    return Promise.resolve(next);
  };
  const { code, out } = await cli.run("calls --follow --json");
  assert.equal(code, 3);
  const shown = out.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(shown.map(({ schema, call }) => [schema, call.id]), [[1, "c1"], [1, "c2"]]);
  assert.deepEqual(cli.operations.queries.map(({ since }) => since), [
    0,
    1_700_000_000_000,
    1_700_000_060_000,
  ]);
});
