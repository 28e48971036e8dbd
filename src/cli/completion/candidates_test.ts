import assert from "node:assert/strict";
import { COMMANDS } from "../commands.ts";
import { TestCli } from "../testing.ts";
import { candidates } from "./candidates.ts";
import type { Names } from "./names.ts";
import { completionScript, SHELLS } from "./scripts.ts";

const names: Names = (kind) => Promise.resolve([[`${kind}-1`, "one"], [`${kind}-2`, "two"]]);

async function words(...typed: string[]): Promise<readonly string[]> {
  return (await candidates(COMMANDS, typed, names)).map(({ word }) => word);
}

Deno.test("nouns, then verbs, then names, options and values", async () => {
  assert.deepEqual(await words("con"), ["connect", "connector"]);
  assert.deepEqual(await words("connector", "c"), ["check", "compare"]);
  assert.deepEqual(await words("connector", "show", ""), ["connector-1", "connector-2"]);
  assert.deepEqual(await words("connector", "check", "x", "--b"), ["--binding"]);
  assert.deepEqual(await words("connector", "check", "x", "--binding", ""), ["binding-1", "binding-2"]);
  assert.deepEqual(await words("connector", "check", "x", "--binding=binding-2"), ["--binding=binding-2"]);
  assert.deepEqual(await words("secret", "set", "x", "--file="), [":file"]);
  assert.deepEqual(await words("agent", "select", "a", "ocr", "b", ""), ["binding-1", "binding-2"]);
  assert.deepEqual(await words("project", "add", "p", ""), [":folder"]);
  assert.deepEqual(await words("completions", "z"), ["zsh"]);
  assert.deepEqual(await words("help", "binding", "a"), ["add"]);
  assert.deepEqual(await words("nothing", ""), []);
  assert.deepEqual(await words("app", "re"), ["restore", "rename", "remove"]);
  assert.deepEqual(await words("app", "share", "notes", ""), ["person-1", "person-2"]);
  assert.deepEqual(await words("inb"), ["inbox"]);
  assert.deepEqual(await words("inbox", "r"), ["read"]);
  assert.deepEqual(await words("inbox", "--u"), ["--unread"]);
  assert.deepEqual(await words("inbox", "read", "--a"), ["--all"]);
});

Deno.test("an option that stands there already is not offered again, unless it may", async () => {
  assert.ok(!(await words("calls", "--failed", "--")).includes("--failed"));
  assert.ok((await words("binding", "add", "x", "--set", "a=b", "--")).includes("--set"));
});

Deno.test("nothing hidden is offered, and nothing behind -- but words", async () => {
  assert.deepEqual(await words("__"), []);
  assert.deepEqual(await words("agent", "add", "x", "--", "--j"), []);
});

Deno.test("names come from the daemon, and without it there are none", async () => {
  const cli = new TestCli();
  await cli.populate();
  assert.equal(
    (await cli.runWords(["__complete", "run", ""])).out,
    "clerk\tcommand, books\ndesk\texternal, books\n",
  );
  assert.equal((await cli.runWords(["__complete", "connect", ""])).out, "desk\tbooks\n");
  cli.operations.agents = () => Promise.reject(new Error("away"));
  assert.deepEqual(await cli.runWords(["__complete", "run", ""]), { code: 0, out: "", err: "" });
  assert.match((await cli.runWords(["__complete", "run", "--d"])).out, /^--detach\t/);
});

Deno.test("each shell has its script, an unknown one an error", async () => {
  for (const shell of SHELLS) assert.match(completionScript(shell) ?? "", /handler __complete/);
  const { code, err } = await new TestCli().run("completions tcsh");
  assert.equal(code, 2);
  assert.match(err, /there are completions for bash, zsh, fish, not for "tcsh"/);
});
