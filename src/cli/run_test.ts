import assert from "node:assert/strict";
import { HandlerError, ProblemList } from "../base/mod.ts";
import { COMMANDS } from "./commands.ts";
import { TestCli } from "./testing.ts";

Deno.test("every command is told of in full", () => {
  const names = new Set<string>();
  for (const command of COMMANDS) {
    const name = command.words.join(" ");
    assert.ok(!names.has(name), name);
    names.add(name);
    assert.match(command.summary, /^[a-z][^.]*$/, name);
    assert.ok(command.description.length > 20, name);
    if (!command.hidden) assert.ok(command.examples.length > 0, name);
    for (const example of command.examples) assert.ok(example.line.includes(`handler ${name}`), example.line);
    for (const option of command.options) assert.ok(option.help.length > 5, `${name} --${option.name}`);
  }
});

Deno.test("help of everything fits 90 columns and goes to stdout", async () => {
  const cli = new TestCli();
  for (const { words, hidden } of COMMANDS) {
    if (hidden) continue;
    const { code, out, err } = await cli.runWords([...words, "--help"]);
    assert.equal(code, 0);
    assert.equal(err, "");
    assert.match(out, /^handler .*: .*\n\nUsage\n/);
    assert.match(out, /\nExit codes\n {2}0 {3}done\n/);
    const { out: same } = await cli.runWords(["help", ...words]);
    assert.equal(same, out);
    for (const line of out.split("\n")) if (!line.includes("handler ")) assert.ok(line.length <= 90, line);
  }
});

Deno.test("the overview names every command once", async () => {
  const { code, out } = await new TestCli().run("--help");
  assert.equal(code, 0);
  for (const { words, hidden } of COMMANDS) {
    const rows = out.split("\n").filter((line) => line.startsWith(`  ${words.join(" ")}  `));
    assert.equal(rows.length, hidden ? 0 : 1, words.join(" "));
  }
});

Deno.test("without words help goes to stderr, and the exit code says so", async () => {
  const bare = await new TestCli().run("");
  assert.deepEqual([bare.code, bare.out], [2, ""]);
  const noun = await new TestCli().run("binding");
  assert.deepEqual([noun.code, noun.out], [2, ""]);
  assert.match(noun.err, /binding add/);
  assert.equal((await new TestCli().run("binding --help")).code, 0);
});

Deno.test("what is mistyped is answered with the nearest", async () => {
  const cli = new TestCli();
  const said = async (line: string) => {
    const { code, out, err } = await cli.run(line);
    assert.deepEqual([code, out], [2, ""], line);
    return err;
  };
  assert.equal(
    await said("bindng list"),
    'handler: there is no command "bindng"\nhint: did you mean binding?\n',
  );
  assert.equal(
    await said("binding lst"),
    'handler: there is no verb of binding "lst"\nhint: did you mean list?\n',
  );
  assert.match(await said("calls --agnt clerk"), /has no option --agnt\nhint: did you mean --agent\?/);
  assert.match(await said("calls --agent"), /--agent needs a value: NAME/);
  assert.match(
    await said("calls --agent --json"),
    /needs a value \(NAME\), found --json\nhint: write --agent=--json/,
  );
  assert.match(await said("calls --failed=yes"), /--failed takes no value/);
  assert.match(await said("calls --agent a --agent b"), /--agent stands more than once/);
  assert.match(await said("agent show"), /AGENT is missing\nhint: see handler agent show --help/);
  assert.match(await said("agent show a b"), /takes no further word, found "b"/);
  assert.match(await said("binding add x"), /--connector NAME is missing/);
  assert.match(await said("--frob"), /there is no option --frob/);
});

Deno.test("every kind of error has its exit code", async () => {
  const kinds = {
    usage: 2,
    invalid: 1,
    not_found: 5,
    conflict: 6,
    denied: 4,
    unreachable: 3,
    unavailable: 75,
    timeout: 75,
    cancelled: 1,
    internal: 1,
  } as const;
  for (const [kind, expected] of Object.entries(kinds)) {
    const cli = new TestCli();
    cli.operations.status = () => Promise.reject(new HandlerError(kind as keyof typeof kinds, "it failed"));
    const { code, out, err } = await cli.run("status --json");
    const hint = kind === "usage" ? "hint: see handler status --help\n" : "";
    assert.deepEqual([code, out, err], [expected, "", `handler: it failed\n${hint}`]);
  }
});

Deno.test("a list of problems is told with each place and hint, and nothing that steers a terminal", async () => {
  const cli = new TestCli();
  const where = { file: "agents/a.toml", line: 3, key: "projct" };
  const one = new HandlerError("invalid", "unknown key \u001b[2J", {
    where,
    hint: 'did you mean "project"?',
  });
  cli.operations.reload = () => Promise.reject(new ProblemList("the configuration", [one]));
  const { code, err } = await cli.run("reload");
  assert.equal(code, 1);
  assert.equal(
    err,
    'handler: the configuration: 1 problem\n  agents/a.toml:3:projct: unknown key \ufffd[2J\n    hint: did you mean "project"?\n',
  );
});

Deno.test("every command that prints data does so as JSON of schema 1", async () => {
  const cli = new TestCli();
  await cli.populate();
  const lines = [
    "status",
    "doctor",
    "paths",
    "version",
    "reload",
    "calls",
    "interface list",
    "interface show ocr/v1",
    "interface check ocr/v1",
    "interface publish ocr/v1",
    "connector list",
    "connector show ocr-tesseract",
    "connector compare ocr_extract a b --input {}",
    "binding list",
    "binding show ocr-local",
    "binding select ocr-local --agent clerk",
    "agent list",
    "agent show clerk",
    "agent select clerk ocr --clear",
    "project list",
    "project show books",
    "project select books ocr ocr-local",
    "secret list",
    "run clerk --detach",
    "sessions --all",
    "stop s1",
    "image status",
    "image build",
    "connect desk --client cursor",
  ];
  for (const line of lines) {
    const { code, out, err } = await cli.run(`${line} --json`);
    assert.equal(code, 0, `${line}: ${err}`);
    assert.equal(JSON.parse(out).schema, 1, line);
  }
});

Deno.test("an empty list says so on stderr alone", async () => {
  const cli = new TestCli();
  for (const noun of ["binding list", "agent list", "project list", "secret list", "sessions"]) {
    const { code, out, err } = await cli.run(noun);
    assert.deepEqual([code, out], [0, ""], noun);
    assert.match(err, /no/);
  }
});
