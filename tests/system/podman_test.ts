import assert from "node:assert/strict";
import { run } from "../../src/platform/mod.ts";
import { podmanWorks, startHome } from "./home.ts";
import { until } from "./wait.ts";
import { codeOf } from "./wire.ts";

/** The containers, running or not, that see a folder of this home. */
async function containersOf(home: string): Promise<readonly string[]> {
  const { stdout: ids } = await run(["podman", "ps", "-aq", "--no-trunc"], { inheritEnv: true });
  const names: string[] = [];
  for (const id of ids.split("\n").filter(Boolean)) {
    const { code, stdout } = await run(["podman", "inspect", id], { inheritEnv: true });
    if (code === 0 && stdout.includes(`${home}/run/`)) names.push(JSON.parse(stdout)[0].Name);
  }
  return names;
}

const podman = await podmanWorks();

Deno.test({
  name:
    "under podman a hundred calls leave one container; after kill -9 and a start, and after a stop, there is none",
  ignore: !podman && Deno.env.get("CI") !== "true",
  async fn() {
    await using home = await startHome({ driver: "podman" });
    {
      using wire = await home.wire("desk");
      for (let turn = 0; turn < 20; turn++) {
        const calls = Array.from({ length: 5 }, () => wire.call("probe_act", { act: "say", text: "hello" }));
        for (const call of calls) assert.equal(codeOf(await call), undefined);
      }
      assert.equal((await containersOf(home.path)).length, 1);
    }
    await home.stop("SIGKILL");
    await home.start();
    await until(
      "the dead daemon's container to be gone",
      async () => (await containersOf(home.path)).length === 0,
    );
    using wire = await home.wire("desk");
    assert.equal(codeOf(await wire.call("probe_act", { act: "say", text: "again" })), undefined);
    assert.equal((await containersOf(home.path)).length, 1);
    await home.stop("SIGTERM");
    assert.deepEqual(await containersOf(home.path), []);
  },
});
