import assert from "node:assert/strict";
import { TestClock } from "../base/mod.ts";
import { appHome } from "../../tests/fakes/app_home.ts";
import { nextAside } from "./old.ts";

const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

Deno.test("of what restores and roll-backs replaced the newest five are kept", async () => {
  const clock = new TestClock();
  await using home = await appHome({}, { clock });
  await home.install({ name: "notes" });
  const backups = `${home.folders.data}/apps/notes/backups`;
  await home.apps.backup("notes", `${home.root}/away`);
  const names: string[] = [];
  for (let turn = 0; turn < 7; turn++) {
    clock.tick(1_000);
    names.push(await home.apps.restore("notes", `${home.root}/away`));
  }
  assert.deepEqual(namesIn(backups), names.slice(-5).sort());
  await home.deploy("notes");
  names.push(await home.apps.rollback("notes"));
  assert.deepEqual(namesIn(backups), names.slice(-5).sort(), "a deploy's own backup goes with its version");
  await home.apps.restore("notes", `${backups}/${names.at(-5)}`);
  assert.equal(namesIn(backups).length, 5, "the oldest can still be brought back");
});

Deno.test("the name of what is set aside is the newest, though the clock went back", async () => {
  const folder = await Deno.makeTempDir();
  try {
    assert.equal(await nextAside(`${folder}/none`, 50), "kept-50");
    for (const name of ["kept-100", "kept-9", "7", "kept-x"]) await Deno.mkdir(`${folder}/${name}`);
    assert.equal(await nextAside(folder, 50), "kept-101");
    assert.equal(await nextAside(folder, 500), "kept-500");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
