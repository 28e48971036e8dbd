import assert from "node:assert/strict";
import { ownProgram, run } from "../../src/platform/mod.ts";
import { ROOT } from "../../tools/repository.ts";

Deno.test("a word that is no part of the program is bad usage", async () => {
  for (const words of [[], ["nonsense"], ["--help"]]) {
    const argv = [ownProgram(), "run", "--quiet", "-A", `${ROOT}/main.ts`, ...words];
    const { code, stdout, stderr } = await run(argv, { inheritEnv: true });
    assert.equal(code, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /^usage: \S+ handlerd \| handler \| .*demo \[arguments\]\n$/);
  }
});
