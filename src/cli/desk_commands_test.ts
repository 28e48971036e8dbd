import assert from "node:assert/strict";
import { TestCli } from "./testing.ts";

Deno.test("calls are written as a file, chosen like those that are listed", async () => {
  const cli = new TestCli();
  cli.cwd = await Deno.makeTempDir();
  assert.equal((await cli.run("calls export")).out, "id,error\r\nc1,\r\nc2,unavailable\r\n");
  const lines = await cli.run("calls export --format jsonl --error unavailable --tool t --limit 1");
  assert.equal(JSON.parse(lines.out).id, "c1");
  const { limit, error, tool } = cli.operations.queries.at(-1)!;
  assert.deepEqual([limit, error, tool], [1, "unavailable", "t"]);
  assert.equal((await cli.run("calls export calls.csv")).out, `${cli.cwd}/calls.csv\n`);
  assert.match(await Deno.readTextFile(`${cli.cwd}/calls.csv`), /^id,error\r\n/);
  assert.equal((await cli.run("calls export calls.csv")).code, 6);
  assert.match((await cli.run("calls export --format xml")).err, /--format is csv or jsonl, found "xml"/);
  await Deno.remove(cli.cwd, { recursive: true });
});

Deno.test("settings are shown, changed, and let go", async () => {
  const cli = new TestCli();
  assert.match((await cli.run("settings")).out, /^ {2}records\.keepDays = 30\n {4}How long/);
  assert.match((await cli.run("settings set records.keepDays 7")).out, /^\* records\.keepDays = 7\n/);
  assert.match((await cli.run("settings reset records.keepDays")).out, /^ {2}records\.keepDays = 30\n/);
  const wrong = await cli.run("settings set records.keepDays soon");
  assert.match(wrong.err, /config\.toml:records\.keepDays: must be an integer/);
  assert.equal((await cli.run("settings set nothing 1")).code, 5);
});

Deno.test("jobs that were begun on the page are listed", async () => {
  const cli = new TestCli();
  assert.match((await cli.run("jobs")).err, /nothing was begun/);
  const { id } = await cli.operations.jobStart({
    kind: "connector-check",
    connector: "ocr-tesseract",
    binding: "ocr-local",
  });
  assert.match((await cli.run("jobs")).out, /check ocr-tesseract with ocr-local {2}running/);
  cli.operations.endJob(id, {});
  assert.equal(JSON.parse((await cli.run("jobs --json")).out).jobs[0].state, "done");
});

Deno.test("a binding has prices", async () => {
  const cli = new TestCli();
  const { out } = await cli.run("binding add b --connector ocr-tesseract --price pages=0.001");
  assert.match(out, /price +0\.001 for one of pages\n/);
  assert.match(
    (await cli.run("binding add c --connector ocr-tesseract --price pages=dear")).err,
    /--price pages is a number such as 0\.001/,
  );
});
