import assert from "node:assert/strict";
import { HandlerError } from "../base/mod.ts";
import { COMMANDS } from "./commands.ts";
import { hinted } from "./hints.ts";
import { TestCli } from "./testing.ts";

function hint(kind: "usage" | "not_found" | "conflict", message: string, own?: string): string | undefined {
  const error = new HandlerError(kind, message, own === undefined ? {} : { hint: own });
  return hinted(error, ["binding", "select", "x"], COMMANDS).hint;
}

Deno.test("an error without a hint gets the help of its command, or the list of what there is", () => {
  assert.equal(hint("usage", "one of them must be given"), "see handler binding select --help");
  assert.equal(hint("usage", "no", "do so"), "do so");
  assert.equal(hint("not_found", 'there is no session "x"'), "see handler sessions --all");
  assert.equal(hint("not_found", 'no secret of the name "x" is kept'), "see handler secret list");
  assert.equal(hint("not_found", "there is no weather"), undefined);
  assert.equal(hint("conflict", 'there is no agent "x"'), undefined);
});

Deno.test("a name or a path is never empty, a text may be", async () => {
  const cli = new TestCli();
  await cli.populate();
  const refused = async (words: readonly string[]) => {
    const { code, err } = await cli.runWords(words);
    assert.equal(code, 2, err);
    return err.split("\n")[0];
  };
  assert.equal(await refused(["run", ""]), "handler: AGENT must not be empty");
  assert.equal(await refused(["project", "add", "more", ""]), "handler: FOLDER must not be empty");
  assert.equal(
    await refused(["agent", "select", "clerk", "ocr", "ocr-local", ""]),
    "handler: BINDING must not be empty",
  );
  assert.equal(await refused(["calls", "--agent", ""]), "handler: --agent must not be empty");
  assert.equal(await refused(["calls", "--agent="]), "handler: --agent must not be empty");
  assert.equal((await cli.runWords(["run", "clerk", "", "--detach"])).code, 0);
  const add = ["agent", "add", "more", "--project", "books"];
  assert.equal((await cli.runWords([...add, "--", "sh", "-c", ""])).code, 0);
  assert.equal(await refused(add), "handler: the harness command needs a command");
  assert.match((await refused([...add, "--harness", "external", "--", "x"]))!, /takes no command/);
  assert.match((await refused([...add, "--service", "ocr=a,,b", "--", "x"]))!, /bindings, apart by a comma/);
});
