import assert from "node:assert/strict";
import type { FilePlace } from "../../schema/mod.ts";
import { CallFailure } from "./failure.ts";
import { stageFiles } from "./staging.ts";

/** Two outputs of one call, of which a connector writes those that are given; gives the bytes or the failure. */
async function delivered(scope: string, written: readonly string[], targets = ["first", "second"]) {
  const folder = await Deno.makeTempDir();
  const limits = { maxFileBytes: 100, maxOutputBytes: 100, tooLarge: undefined };
  const places = targets.map((value, at): FilePlace => ({
    path: ["out", at],
    format: "handler-output-file",
    value,
  }));
  await using staged = await stageFiles({ scope, folder, ...limits }, { out: targets }, places);
  const { out } = staged.arguments as { out: { $output: string }[] };
  for (const [at, text] of written.entries()) {
    await Deno.writeTextFile(`${folder}/out/${out[at]!.$output}`, text);
  }
  try {
    return await staged.deliver();
  } catch (error) {
    return error as CallFailure;
  }
}

async function names(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
}

Deno.test("several outputs of a call are delivered together", async () => {
  const scope = await Deno.makeTempDir();
  assert.equal(await delivered(scope, ["one", "three"]), 8);
  assert.deepEqual(await names(scope), ["first", "second"]);
});

Deno.test("a later output that is missing, too large or refused leaves nothing of the earlier ones", async () => {
  const scope = await Deno.makeTempDir();
  await Deno.mkdir(`${scope}/taken`);
  for (
    const [written, targets, code] of [
      [["one"], ["first", "second"], "unavailable"],
      [["one", "x".repeat(101)], ["first", "second"], "limit"],
      [["one", "two"], ["first", "nowhere/second"], "invalid_input"],
      [["one", "two"], ["first", "taken"], "invalid_input"],
    ] as const
  ) {
    const failure = await delivered(scope, written, [...targets]);
    assert.ok(failure instanceof CallFailure);
    assert.equal(failure.code, code);
    assert.deepEqual(await names(scope), ["taken"]);
  }
});
