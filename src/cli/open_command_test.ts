import assert from "node:assert/strict";
import { TestCli } from "./testing.ts";

const LINK = "http://localhost:7430/_handler/open#token-of-the-desk";

Deno.test("a link to the page, and to a place on it", async () => {
  const cli = new TestCli();
  const printed = async (words: string) => (await cli.run(`open --print ${words}`.trim())).out;
  assert.equal(await printed(""), `${LINK}\n`);
  assert.equal(await printed("/"), `${LINK}\n`);
  assert.equal(await printed("/inbox"), `${LINK}/inbox\n`);
  assert.equal(await printed("threads/x?from=3#last"), `${LINK}/threads/x?from=3#last\n`);
  const json = await cli.run("open --print --json");
  assert.deepEqual(JSON.parse(json.out), { schema: 1, url: LINK });
});

Deno.test("a place elsewhere and an unknown browser are bad usage", async () => {
  const cli = new TestCli();
  for (
    const words of ["//evil.example/", "http://evil.example/", "https://localhost/", "javascript:alert(1)"]
  ) {
    const { code, out, err } = await cli.run(`open --print ${words}`);
    assert.deepEqual([code, out], [2, ""], words);
    assert.match(err, /PATH is a place on the page/);
  }
  assert.match((await cli.run("open --browser lynx")).err, /--browser is firefox, chromium, default/);
});
