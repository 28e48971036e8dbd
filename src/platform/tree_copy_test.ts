import assert from "node:assert/strict";
import { copyTreeGuarded, lookAtTree, type TreeCopyOptions } from "./tree_copy.ts";

const ALL: TreeCopyOptions = { limitBytes: 2 ** 40, links: "refuse", leaveOut: [] };

async function withFolder(use: (from: string, to: string) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "tree-" });
  await Deno.mkdir(`${root}/from/deep`, { recursive: true });
  await Deno.writeTextFile(`${root}/outside`, "precious");
  try {
    await use(`${root}/from`, `${root}/to`);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function command(program: string, ...args: readonly string[]): Promise<void> {
  assert.ok((await new Deno.Command(program, { args: [...args] }).output()).success, program);
}

Deno.test("files, folders and whether they may be run, without what is left out", () =>
  withFolder(async (from, to) => {
    const bytes = crypto.getRandomValues(new Uint8Array(65_536)).map((byte) => byte | 1);
    const large = new Uint8Array(300_001);
    large.set(bytes, 100_000);
    await Deno.writeFile(`${from}/large`, large);
    await Deno.writeTextFile(`${from}/deep/run.sh`, "#!/bin/sh", { mode: 0o700 });
    await Deno.mkdir(`${from}/deep/.git`);
    await Deno.writeTextFile(`${from}/empty`, "");
    const copied = await copyTreeGuarded(from, to, { ...ALL, leaveOut: [".git"] });
    assert.deepEqual(copied, { files: 3, bytes: 300_010 });
    assert.deepEqual(await Deno.readFile(`${to}/large`), large);
    assert.equal(Deno.statSync(`${to}/deep/run.sh`).mode! & 0o777, 0o755);
    assert.equal(Deno.statSync(`${to}/empty`).mode! & 0o777, 0o644);
    assert.deepEqual([...Deno.readDirSync(`${to}/deep`)].map(({ name }) => name), ["run.sh"]);
  }));

Deno.test("links are made again where they stay inside, refused or left out", () =>
  withFolder(async (from, to) => {
    await Deno.writeTextFile(`${from}/a`, "a");
    await Deno.symlink("../a", `${from}/deep/b`);
    await copyTreeGuarded(from, to, { ...ALL, links: "keep" });
    assert.equal(await Deno.readLink(`${to}/deep/b`), "../a");
    await assert.rejects(copyTreeGuarded(from, `${to}2`, ALL), /deep\/b cannot be copied: it is a link/);
    for (const target of ["../../outside", `${from}/a`, "../..", "/etc"]) {
      await Deno.remove(`${from}/deep/b`);
      await Deno.symlink(target, `${from}/deep/b`);
      const copying = copyTreeGuarded(from, `${to}-${target.length}`, { ...ALL, links: "keep" });
      await assert.rejects(copying, /its link leads out/, target);
    }
    await copyTreeGuarded(from, `${to}3`, { ...ALL, links: "skip" });
    assert.deepEqual([...Deno.readDirSync(`${to}3/deep`)], []);
  }));

Deno.test("a part of a folder, which must be a real folder of it", () =>
  withFolder(async (from, to) => {
    await Deno.writeTextFile(`${from}/deep/a`, "a");
    await copyTreeGuarded(from, to, { ...ALL, below: "deep" });
    assert.equal(await Deno.readTextFile(`${to}/a`), "a");
    await Deno.symlink("..", `${from}/up`);
    await Deno.symlink("deep", `${from}/again`);
    for (const below of ["up", "up/from", "again"]) {
      await assert.rejects(
        copyTreeGuarded(from, `${to}2`, { ...ALL, below }),
        /it is not a folder, or a link to one/,
      );
    }
    await assert.rejects(copyTreeGuarded(from, `${to}2`, { ...ALL, below: "none" }));
  }));

Deno.test("FIFOs, sockets and devices are not opened, limits hold", () =>
  withFolder(async (from, to) => {
    await command("mkfifo", `${from}/fifo`);
    await assert.rejects(copyTreeGuarded(from, to, ALL), /fifo cannot be copied: it is not a regular file/);
    await Deno.remove(`${from}/fifo`);
    const listener = Deno.listen({ transport: "unix", path: `${from}/socket` });
    await assert.rejects(
      copyTreeGuarded(from, `${to}2`, ALL),
      /socket cannot be copied: it is not a regular file/,
    );
    listener.close();
    await Deno.writeTextFile(`${from}/a`, "12345");
    await Deno.writeTextFile(`${from}/b`, "12345");
    await assert.rejects(copyTreeGuarded(from, `${to}3`, { ...ALL, limitBytes: 9 }), /more than 9 bytes/);
  }));

Deno.test("holes stay holes, and a file that is nearly all hole is refused", () =>
  withFolder(async (from, to) => {
    await command("truncate", "-s", "50M", `${from}/hole`);
    await Deno.writeTextFile(`${from}/hole`, "end", { append: true });
    await copyTreeGuarded(from, to, ALL);
    const { size, blocks } = Deno.statSync(`${to}/hole`);
    assert.deepEqual([size, blocks! * 512 < 2 ** 20], [50 * 2 ** 20 + 3, true]);
    await command("truncate", "-s", "900G", `${from}/hole`);
    await assert.rejects(copyTreeGuarded(from, `${to}2`, ALL), /hole cannot be copied: it is sparse/);
    assert.deepEqual(await copyTreeGuarded(from, `${to}3`, { ...ALL, links: "skip" }), {
      files: 0,
      bytes: 0,
    });
  }));

Deno.test("a folder that is swapped for a link while it is copied gives nothing away", () =>
  withFolder(async (from, to) => {
    const root = from.replace(/\/from$/, "");
    await Deno.mkdir(`${root}/secret`);
    for (let at = 0; at < 20; at++) {
      await Deno.writeTextFile(`${root}/secret/${at}`, "precious");
      await Deno.writeTextFile(`${from}/deep/${at}`, "own");
    }
    let goes = true;
    const swapping = (async () => {
      while (goes) {
        await Deno.rename(`${from}/deep`, `${from}/.away`);
        await Deno.symlink(`${root}/secret`, `${from}/deep`);
        await Deno.remove(`${from}/deep`);
        await Deno.rename(`${from}/.away`, `${from}/deep`);
      }
    })();
    for (let time = 0; time < 30; time++) {
      await copyTreeGuarded(from, `${to}${time}`, { ...ALL, links: "skip" }).catch(() => {});
      for (const folder of ["deep", ".away"]) {
        for (let at = 0; at < 20; at++) {
          const text = await Deno.readTextFile(`${to}${time}/${folder}/${at}`).catch(() => "own");
          assert.notEqual(text, "precious");
        }
      }
    }
    goes = false;
    await swapping;
  }));

Deno.test("a look tells everything that a copy would refuse, and makes nothing", () =>
  withFolder(async (from) => {
    await Deno.symlink("../outside", `${from}/out`);
    await Deno.symlink("deep", `${from}/in`);
    await command("mkfifo", `${from}/deep/fifo`);
    await Deno.writeTextFile(`${from}/a`, "12345");
    await Deno.writeTextFile(`${from}/b`, "12345");
    await Deno.writeTextFile(`${from}/c`, "12345");
    const { refusals, bytes } = await lookAtTree(from, { ...ALL, links: "keep", limitBytes: 7 });
    const told = refusals.map(({ message }) => message).sort();
    assert.equal(told.length, 3, told.join("\n"));
    assert.match(told[0]!, /^[abc] cannot be copied: more than 7 bytes/);
    assert.match(told[1]!, /^deep\/fifo cannot be copied: it is not a regular file/);
    assert.match(told[2]!, /^out cannot be copied: its link leads out/);
    assert.equal(bytes, 15);
    const { refusals: none } = await lookAtTree(`${from}/deep`, { ...ALL, leaveOut: ["fifo"] });
    assert.deepEqual(none, []);
  }));
