import assert from "node:assert/strict";
import { TestCli } from "./testing.ts";

async function desk(): Promise<TestCli> {
  const cli = new TestCli();
  await cli.run("app add ./notes");
  return cli;
}

Deno.test("an app is begun, added and looked at", async () => {
  const cli = new TestCli();
  const begun = await cli.run("app new notes");
  assert.deepEqual([begun.out, begun.err], ["/work/notes\n", "next: handler app add ./notes\n"]);
  assert.match((await cli.run("app new notes /else/where")).err, /next: handler app add \/else\/where/);
  const added = await cli.run("app add ./notes");
  assert.match(
    added.out,
    /^app {10}notes\n.*\nstate {8}not deployed\nversion {6}none\nready {8}0.2.0, not deployed yet\n/,
  );
  assert.match(added.err, /next: handler app deploy notes/);
  assert.match((await cli.run("app list")).out, /\nnotes {2}- {8}0.2.0 {2}not deployed {2}-/);
  assert.match((await cli.run("app show notes")).out, /source {7}\/work\/notes/);
  assert.equal((await cli.run("app show jots")).code, 5);
  assert.match((await new TestCli().run("app list")).err, /no apps yet; begin one with handler app new/);
});

Deno.test("a check tells what is wrong and fails", async () => {
  const cli = new TestCli();
  const { code, out } = await cli.run("app check ./notes");
  assert.equal(code, 1);
  assert.equal(out, '/work/notes/app.toml:3:needs.egres: unknown key\n  hint: did you mean "egress"?\n');
  const sound = await cli.run("app check ./sound --json");
  assert.deepEqual([sound.code, JSON.parse(sound.out)], [0, {
    schema: 1,
    folder: "/work/sound",
    passed: true,
    problems: [],
  }]);
});

Deno.test("a deploy tells its steps, then the rehearsal", async () => {
  const cli = await desk();
  const { code, out, err } = await cli.run("app deploy notes");
  assert.equal(code, 0);
  assert.equal(
    err,
    "done    snapshot  version 0.2.0  (12 ms)\ndone    test      ok | 3 passed  (12 ms)\n" +
      "done    backup    copied and checked; rows: notes 2  (12 ms)\n" +
      "done    rehearse  healthy; rows: notes 2 → 2  (12 ms)\n" +
      "done    switch    version 0.2.0 is installed  (12 ms)\nnext: handler app open notes\n",
  );
  assert.equal(
    out,
    "TABLE  ROWS BEFORE  AFTER\nnotes            2      2\ntags             -      0\nnotes 0.2.0 is installed\n",
  );
  assert.match((await cli.run("app deploy notes", { columns: 100 })).err, /^snapshot \.\.\.\ndone/);
  const json = JSON.parse((await cli.run("app deploy notes --json")).out);
  assert.deepEqual([json.schema, json.deployed, json.rehearsal.length], [1, true, 2]);
});

Deno.test("a deploy that fails shows the failing test and changes nothing", async () => {
  const cli = new TestCli();
  cli.operations.readyVersion = "9.9.9";
  await cli.run("app add ./notes");
  const { code, out, err } = await cli.run("app deploy notes");
  assert.equal(code, 1);
  assert.match(err, /failed {2}test {6}the app's tests ended with 1 {2}\(12 ms\)\n$/);
  assert.equal(
    out,
    "  | the app's tests ended with 1\n  | notes ... FAILED\nnotes was not deployed; the installed version and its data are as they were\n",
  );
});

Deno.test("what is new is shown and asked for", async () => {
  const cli = await desk();
  const hash = "a".repeat(64);
  cli.operations.newNeeds = ["reach api.example.com:443", "the secret KEY"];
  const unasked = await cli.run("app deploy notes");
  assert.equal(unasked.code, 2);
  assert.equal(
    unasked.err,
    `notes 0.2.0 asks for:\n  + reach api.example.com:443\n  + the secret KEY\nhash ${hash}\n` +
      "handler: nobody can be asked whether notes may do that\n" +
      `hint: read it, then use --yes or --approve ${hash}\n`,
  );
  const refused = await cli.run("app deploy notes", { interactive: true, answer: "n" });
  assert.deepEqual([refused.code, cli.asked], [4, ["Deploy notes 0.2.0 with that? [y/N]"]]);
  assert.equal((await cli.run(`app deploy notes --approve ${"b".repeat(64)}`)).code, 6);
  assert.equal((await cli.run("app show notes")).out.includes("version      none"), true);
  assert.equal((await cli.run(`app deploy notes --approve ${hash}`)).code, 0);
  assert.equal((await cli.run("app deploy notes --yes")).code, 0);
  assert.equal((await cli.run("app deploy notes", { interactive: true, answer: "y" })).code, 0);
  assert.match((await cli.run("app deploy notes --plan")).out, /asks for:\n {2}\+ reach api/);
});

Deno.test("what is not settled yet stops a deploy", async () => {
  const cli = await desk();
  cli.operations.unsettled = ["the secret KEY is not filled"];
  const { code, err } = await cli.run("app deploy notes --yes");
  assert.equal(code, 6);
  assert.match(
    err,
    /cannot be deployed yet: the secret KEY is not filled\nhint: settle it: handler app settle notes/,
  );
  await cli.run("app settle notes --secret KEY=store:key --folder scans=./scans --service ocr=a,b");
  assert.deepEqual(
    cli.operations.done.at(-1),
    'settle notes {"secrets":{"KEY":"store:key"},"files":{"scans":"/work/scans"},"services":{"ocr":["a","b"]}}',
  );
  assert.equal((await cli.run("app settle notes")).code, 2);
});

Deno.test("a roll-back says first what is lost, and asks", async () => {
  const cli = await desk();
  cli.operations.lostRows = [{ table: "notes", rows: 3 }, { table: "tags", rows: 1 }];
  const plan = "notes goes back from 0.2.0 (deployment 2) to 0.1.0 (deployment 1)\n" +
    "written since and lost to it: 3 rows of notes, 1 row of tags\n";
  assert.equal((await cli.run("app rollback notes --plan")).out, plan);
  const unasked = await cli.run("app rollback notes");
  assert.deepEqual([unasked.code, unasked.err.startsWith(plan)], [2, true]);
  assert.equal((await cli.run("app rollback notes", { interactive: true, answer: "" })).code, 4);
  const done = await cli.run("app rollback notes --yes");
  assert.match(done.out, /version {6}0\.1\.0/);
  assert.match(
    done.err,
    /is kept; handler app restore notes kept-1 brings it back\nnext: handler app open notes/,
  );
  cli.operations.lostRows = [];
  assert.match((await cli.run("app rollback notes --plan")).out, /nothing was written since/);
  cli.operations.uncounted = "it is damaged";
  assert.match((await cli.run("app rollback notes --plan")).out, /could not be counted: it is damaged/);
});

Deno.test("versions, backups and what brings them back", async () => {
  const cli = await desk();
  assert.match((await cli.run("app versions notes")).err, /never deployed/);
  await cli.run("app deploy notes");
  assert.match((await cli.run("app versions notes")).out, /2 {2}0\.2\.0 .* 4\.1 kB {2}installed\n/);
  assert.equal((await cli.run("app backup notes")).code, 2);
  assert.match((await cli.run("app backup notes --list")).err, /no backups/);
  cli.operations.backupViews = [{ name: "kept-1", takenAt: 1_700_000_000_000, bytes: 10, why: "set aside" }];
  assert.match((await cli.run("app backup notes --list")).out, /\nkept-1 .* 10 B {2}set aside\n/);
  assert.equal((await cli.run("app backup notes ./b")).out, "/work/b\n");
  await cli.run("app restore notes kept-1");
  await cli.run("app restore notes ./b");
  await cli.run("app export notes n.app");
  await cli.run("app import n.app");
  assert.deepEqual(cli.operations.done, [
    "backup notes /work/b",
    "restore notes kept-1",
    "restore notes /work/b",
    "export notes /work/n.app",
    "import /work/n.app",
  ]);
});

Deno.test("state, log, stop, rename and remove", async () => {
  const cli = await desk();
  assert.match((await cli.run("app status")).out, /notes {2}not deployed/);
  const view = cli.operations.appMap.get("notes")!;
  cli.operations.appMap.set("notes", { ...view, state: "failing" });
  const failing = await cli.run("app status notes");
  assert.equal(failing.code, 1);
  assert.equal(failing.err, "the end of the log of notes:\n  started\ufffd[2J notes\n");
  assert.equal((await cli.run("app log notes")).out, "started\ufffd[2J notes\n");
  assert.deepEqual(JSON.parse((await cli.run("app log notes --json")).out).log, "started\u001b[2J notes\n");
  assert.match((await cli.run("app stop notes")).err, /its next call starts it again/);
  assert.match(
    (await cli.run("app rename notes jots")).err,
    /write name = "jots" into \/work\/notes\/app\.toml/,
  );
  assert.equal((await cli.run("app remove jots --data")).code, 2);
  assert.match(
    (await cli.run("app remove jots")).err,
    /its data stays\nhandler app add \/work\/notes brings it back/,
  );
  await cli.run("app add ./notes");
  assert.match((await cli.run("app remove notes --data --yes")).err, /its data too/);
  assert.deepEqual(cli.operations.done, ["stop notes", "remove jots", "remove notes with data"]);
});

Deno.test("a link is printed, a browser is named rightly", async () => {
  const cli = await desk();
  const url = "http://notes.localhost:7430/_handler/open#token-of-owner";
  assert.equal((await cli.run("app open notes --print")).out, `${url}\n`);
  assert.deepEqual(JSON.parse((await cli.run("app open notes --print --json --person alice")).out), {
    schema: 1,
    app: "notes",
    url: url.replace("owner", "alice"),
  });
  assert.match(
    (await cli.run("app open notes --browser lynx")).err,
    /--browser is firefox, chromium, default/,
  );
});

Deno.test("an app is shared and bound to keys", async () => {
  const cli = await desk();
  assert.match((await cli.run("app share notes alice")).out, /persons {6}owner, alice\n/);
  assert.match((await cli.run("app share notes alice --remove")).out, /persons {6}owner\n/);
  const bound = await cli.run("app shortcut notes <Super>n");
  assert.match(bound.out, /shortcut {5}<Super>n\n/);
  assert.match(bound.err, /the desktop uses these keys itself \(org\.gnome\.shell\.keybindings focus-active/);
  assert.doesNotMatch((await cli.run("app shortcut notes --clear")).out, /shortcut/);
  assert.equal((await cli.run("app shortcut notes")).code, 2);
});

Deno.test("persons", async () => {
  const cli = new TestCli();
  const added = await cli.run("person add alice --display-name Alice --desktop on");
  assert.match(added.out, /^person {3}alice\nname {5}Alice\ndesktop {2}on\n/);
  assert.match(added.err, /next: handler app share APP alice/);
  assert.equal((await cli.run("person add bob --desktop perhaps")).code, 2);
  assert.match((await cli.run("person list")).out, /\nalice {3}Alice {2}- /);
  assert.match((await cli.run("person remove alice")).err, /removed, with their inbox/);
});

Deno.test("the inbox is shown, the newest last, and marked as read", async () => {
  const cli = new TestCli();
  assert.match((await cli.run("inbox")).err, /the inbox is empty/);
  const item = {
    id: "m2",
    title: "Good morning",
    text: "How are\nyou?",
    source: "app:coach",
    at: 1_700_000_000_000,
  };
  cli.operations.inboxItems = [
    { ...item, link: "/today", read: false },
    { ...item, id: "m1", title: "Old\u001b[2J", text: "", link: null, read: true },
  ];
  const { out, err } = await cli.run("inbox");
  assert.match(
    out,
    /^ {2}\S+ \S+ {2}app:coach {2}m1\n {4}Old\ufffd\[2J\n\n\* \S+ \S+ {2}app:coach {2}m2 {2}\/today\n {4}Good morning\n {4}How are\n {4}you\?\n$/,
  );
  assert.equal(err, "1 message unread\n");
  assert.equal((await cli.run("inbox read")).code, 2);
  assert.equal((await cli.run("inbox read --all")).err, "1 message marked as read\n");
  assert.match((await cli.run("inbox --unread --person alice")).err, /nothing is unread/);
  assert.deepEqual(cli.operations.done, ["read owner m2"]);
});
