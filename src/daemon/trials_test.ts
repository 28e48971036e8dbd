import assert from "node:assert/strict";
import { HandlerError, TestClock, utf8, utf8Text } from "../base/mod.ts";
import { Trials } from "./trials.ts";

const HOUR = 3_600_000;

async function inFolder(work: (trials: Trials, clock: TestClock, folder: string) => Promise<void>) {
  const home = await Deno.makeTempDir();
  const clock = new TestClock();
  const folder = `${home}/trials`;
  try {
    await work(new Trials({ clock, folder }), clock, folder);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await utf8(text);
}

async function kindOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(() => undefined, (thrown) => thrown);
  assert.ok(error instanceof HandlerError, String(error));
  return error.kind;
}

Deno.test("files go in, whole or not at all, and come out", async () => {
  await inFolder(async (trials, _, folder) => {
    const { id } = await trials.make();
    assert.deepEqual(await trials.put(id, "a.txt", pieces("one ", "two")), {
      ...{ name: "a.txt", size: 7, mediaType: "text/plain" },
    });
    await trials.put(id, "a.txt", pieces("%PDF-1.7"));
    assert.equal((await trials.show(id)).files[0]?.mediaType, "application/pdf");
    const broken = (async function* () {
      yield utf8("half");
      await Promise.reject(new Error("the line broke"));
    })();
    await assert.rejects(trials.put(id, "a.txt", broken), /the line broke/);
    const bytes = await Array.fromAsync(trials.read(id, "a.txt"));
    assert.equal(bytes.map((chunk) => utf8Text(chunk)).join(""), "%PDF-1.7");
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), [id], "nothing half is left");
  });
});

Deno.test("a name leads nowhere else", async () => {
  await inFolder(async (trials) => {
    const { id } = await trials.make();
    for (const name of ["", ".", "..", ".hidden", "a/b", "a\\b", "a\nb", "a\0", "ä".repeat(150), "\u202Ea"]) {
      assert.equal(await kindOf(trials.put(id, name, pieces("x"))), "usage", JSON.stringify(name));
      assert.equal(await kindOf(Array.fromAsync(trials.read(id, name))), "usage", JSON.stringify(name));
    }
    await trials.put(id, "Rechnung März (1).pdf", pieces("x"));
    assert.equal(await kindOf(trials.put("../x", "a", pieces("x"))), "not_found");
  });
});

Deno.test("a link that somebody put into the folder is not followed", async () => {
  await inFolder(async (trials, _, folder) => {
    const { id } = await trials.make();
    await Deno.symlink("/etc/passwd", `${folder}/${id}/passwd`);
    assert.deepEqual((await trials.show(id)).files, []);
    assert.equal(await kindOf(Array.fromAsync(trials.read(id, "passwd"))), "denied");
  });
});

Deno.test("a trial goes an hour after its last use, never in the middle of one", async () => {
  await inFolder(async (trials, clock, folder) => {
    const { id } = await trials.make();
    clock.tick(HOUR - 1);
    await trials.show(id);
    clock.tick(HOUR - 1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const use = trials.use(id, () => promise);
    clock.tick(3 * HOUR);
    resolve();
    await use;
    assert.equal((await trials.show(id)).id, id);
    clock.tick(HOUR);
    await assert.rejects(async () => await trials.show(id), /there is no trial/);
    for (let i = 0; i < 100 && [...Deno.readDirSync(folder)].length > 0; i++) {
      await new Promise((go) => setTimeout(go, 5));
    }
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  });
});

Deno.test("there are only so many, and the one that rests the longest gives way", async () => {
  await inFolder(async (trials, clock) => {
    const ids: string[] = [];
    for (let i = 0; i < 51; i++) {
      ids.push((await trials.make()).id);
      clock.tick(1);
    }
    await assert.rejects(async () => await trials.show(ids[0]!), /there is no trial/);
    assert.equal((await trials.show(ids[1]!)).id, ids[1]);
    await trials.close();
    await assert.rejects(async () => await trials.show(ids[1]!), /there is no trial/);
  });
});
