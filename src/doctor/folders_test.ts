import assert from "node:assert/strict";
import { runChecks } from "./check.ts";
import { folderChecks } from "./folders.ts";

Deno.test("folders are there, to be made, open to others, in the way, or out of reach", async () => {
  const root = await Deno.makeTempDir();
  await Deno.mkdir(`${root}/open`, { mode: 0o755 });
  await Deno.chmod(`${root}/open`, 0o755);
  await Deno.writeTextFile(`${root}/file`, "");
  const folders = {
    config: `${root}/open`,
    data: `${root}/open`,
    state: `${root}/file`,
    runtime: `${root}/not/yet`,
  };
  const found = await runChecks(folderChecks(folders), 5_000);
  const of = (name: string) => found.find((one) => one.name === name);
  assert.equal(of("folder config")?.state, "ok", "what a person writes may be read");
  assert.deepEqual([of("folder data")?.state, of("folder data")?.hint], [
    "warning",
    `chmod 700 ${root}/open`,
  ]);
  assert.deepEqual([of("folder state")?.state, of("folder state")?.hint], [
    "failed",
    "move what is there away, or set HANDLER_STATE_DIR",
  ]);
  assert.match(of("folder runtime")?.detail ?? "", /is made at the first start/);
  assert.match(of("disk")?.detail ?? "", /GB are free/);
  await Deno.remove(root, { recursive: true });
});
