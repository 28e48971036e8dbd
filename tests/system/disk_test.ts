import assert from "node:assert/strict";
import { run } from "../../src/platform/mod.ts";
import { layHome, shellAgent, type SystemHome } from "./home.ts";
import { until } from "./wait.ts";
import { codeOf } from "./wire.ts";

/** A folder on a small file system of its own; undefined where this user may not mount one. */
async function smallDisk(megabytes: number): Promise<string | undefined> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "hf-" }));
  const { code } = await run(["mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], {
    inheritEnv: true,
  });
  if (code === 0) return folder;
  await Deno.remove(folder);
  return undefined;
}

async function removeDisk(folder: string): Promise<void> {
  await run(["umount", "-l", folder], { inheritEnv: true });
  await Deno.remove(folder);
}

/** Fills a disk to the last byte. */
function fill(path: string): void {
  using file = Deno.openSync(path, { write: true, create: true });
  for (const size of [1 << 20, 1 << 12, 1]) {
    try {
      for (;;) file.writeSync(new Uint8Array(size));
    } catch {
      // full for pieces of this size
    }
  }
}

const disk = await smallDisk(48);
if (disk) await removeDisk(disk);

Deno.test({
  name: "a home on a full disk: the daemon lives, calls go on, errors say why, and all recovers with room",
  ignore: disk === undefined && Deno.env.get("CI") !== "true",
  async fn() {
    const folder = await smallDisk(48);
    assert.ok(folder, "a tmpfs can be mounted");
    try {
      await Deno.mkdir(`${folder}/h`);
      await using home = await layHome({
        at: `${folder}/h`,
        files: { "agents/clerk.toml": shellAgent("echo up; read line; echo $line") },
      });
      await onFullDisk(home, `${folder}/filling`);
    } finally {
      await removeDisk(folder);
    }
  },
});

async function onFullDisk(home: SystemHome, filling: string): Promise<void> {
  await home.start();
  await home.trust("probe/v1", "probe");
  await Deno.writeTextFile(`${home.work}/note.txt`, "a note");
  using wire = await home.wire("desk");
  const say = async () => codeOf(await wire.call("probe_act", { act: "say", text: "x".repeat(10_000) }));
  const read = async () => codeOf(await wire.call("probe_read", { path: "note.txt" }));
  assert.deepEqual([await say(), await read()], [undefined, undefined]);
  const before = (await home.client.calls({ limit: 10_000 })).length;

  fill(filling);
  const codes = new Set<string | undefined>();
  for (let turn = 0; turn < 300; turn++) codes.add(await say());
  assert.deepEqual([...codes], [undefined], "calls without files go on");
  assert.equal(await read(), "unavailable");
  assert.equal(
    codeOf(await wire.call("probe_write", { path: "new.txt", text: "n".repeat(100_000) })),
    "unavailable",
  );
  assert.ok((await home.client.status()).pid > 0);
  await assert.rejects(
    home.client.bindingAdd({ name: "more", connector: "probe", description: "", settings: {}, secrets: {} }),
    /no space|disk|full/i,
  );
  await assert.rejects(home.client.run("clerk", null), /no space|disk|full/i);
  assert.equal(await say(), undefined);

  await Deno.remove(filling);
  assert.equal(await read(), undefined);
  const records = await until("the records that waited", async () => {
    const all = await home.client.calls({ limit: 10_000 });
    return all.length >= before + 304 ? all : undefined;
  });
  const failed = records.filter(({ error }) => error !== null);
  assert.deepEqual(failed.map(({ error }) => error), ["unavailable", "unavailable"]);
  assert.match(String(failed[1]?.detail), /the disk is full/);
  await home.client.bindingAdd({
    name: "more",
    connector: "probe",
    description: "",
    settings: {},
    secrets: {},
  });
  const { id } = await home.client.run("clerk", null);
  assert.equal((await home.client.sessionStop(id)).state, "stopped");
  assert.match(await home.output(), /records cannot be stored; calls go on/);
}
