import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type AppHome, appHome } from "../../tests/fakes/app_home.ts";
import { killedBefore } from "../../tests/fakes/crash.ts";
import { layApp } from "../../tests/apps/small_app.ts";
import type { Apps, AppVersion } from "./mod.ts";
import { appVersionHash } from "./version_hash.ts";

// A daemon that is killed before any single change that it makes to the file system leaves each app wholly as it was or
// wholly as it should become.

const pageOf = (version: string) => ({ "index.html": `<p>${version}` });

function database<T>(folder: string, use: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(`${folder}/notes.db`);
  try {
    return use(db);
  } finally {
    db.close();
  }
}

const add = (folder: string, text: string) =>
  database(folder, (db) => {
    db.exec("PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS notes (text)");
    db.prepare("INSERT INTO notes VALUES (?)").run(text);
  });

const notesIn = (folder: string) =>
  database(folder, (db) => db.prepare("SELECT text FROM notes").all().map(({ text }) => String(text)));

async function laid(): Promise<AppHome> {
  const home = await appHome();
  await home.install({ name: "small", version: "1.0.0", page: pageOf("1.0.0") });
  await Deno.mkdir(dataOf(home), { recursive: true });
  add(dataOf(home), "one");
  await layNext(home);
  return home;
}

const layNext = (home: AppHome) =>
  layApp(`${home.root}/source/small`, { name: "small", version: "2.0.0", page: pageOf("2.0.0") });

const rootOf = ({ folders }: AppHome) => `${folders.data}/apps/small`;
const dataOf = (home: AppHome) => `${rootOf(home)}/data`;

function namesIn(folder: string): readonly string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => `${folder}/${name}`).sort();
  } catch {
    return [];
  }
}

/** Every file of a version is the one that was deployed, and nothing lies about that nobody knows. */
async function mustBeWhole(home: AppHome, apps: Apps, kept: readonly string[] = []): Promise<AppVersion> {
  const { versions } = apps.registry.get("small");
  for (const version of versions) {
    assert.equal(await appVersionHash(version.folder), version.hash);
    const page = await Deno.readTextFile(`${version.folder}/ui/index.html`);
    assert.equal(page, `<p>${version.manifest.version}`);
    if (version.backup) assert.deepEqual(notesIn(version.backup), ["one"]);
  }
  assert.deepEqual(namesIn(`${rootOf(home)}/versions`), versions.map(({ folder }) => folder).sort());
  const backups = versions.flatMap(({ backup }) => backup ?? []);
  assert.deepEqual(namesIn(`${rootOf(home)}/backups`), [...backups, ...kept].sort());
  const rest = namesIn(rootOf(home)).map((path) => path.split("/").at(-1)!);
  assert.deepEqual(rest.filter((name) => !["versions", "backups", "data", "app.log"].includes(name)), []);
  assert.deepEqual(namesIn(home.folders.state), [`${home.folders.state}/apps.json`]);
  return versions[0]!;
}

/** Kills at every change in turn; `look` is given the apps of the next daemon, and what that said at its start. */
async function everywhere(
  prepare: () => Promise<AppHome>,
  work: (home: AppHome) => Promise<unknown>,
  look: (home: AppHome, apps: Apps, said: readonly string[], at: number) => Promise<void>,
): Promise<number> {
  for (let at = 1;; at++) {
    await using home = await prepare();
    const killed = await killedBefore(at, () => work(home));
    for (const sandbox of home.sandboxes.running) await sandbox.stop();
    const apps = await home.again();
    const said = await apps.recover();
    await look(home, apps, said, at);
    await apps.close();
    if (!killed) return at;
  }
}

Deno.test("killed at any change of a deploy, an app is the old or the new version, and it is said which", async () => {
  const seen = new Set<string>();
  const changes = await everywhere(laid, (home) => home.deploy("small"), async (home, apps, said) => {
    const { manifest } = await mustBeWhole(home, apps);
    assert.deepEqual(notesIn(dataOf(home)), ["one"]);
    if (said.length > 0) assert.match(said.join(), new RegExp(`small: .*version ${manifest.version}`));
    seen.add(`${manifest.version} ${said.length}`);
    using backend = await apps.acquire("small", new AbortController().signal);
    assert.ok(backend.socket);
  });
  assert.ok(changes > 20, `only ${changes} changes`);
  assert.deepEqual([...seen].sort(), ["1.0.0 0", "1.0.0 1", "2.0.0 0", "2.0.0 1"]);
});

Deno.test("killed at any change of a roll-back, code and data are those of before or of then, together", async () => {
  const prepare = async () => {
    const home = await laid();
    await home.deploy("small");
    add(dataOf(home), "two");
    return home;
  };
  const seen = new Set<string>();
  await everywhere(prepare, (home) => home.apps.rollback("small"), async (home, apps) => {
    const kept = namesIn(`${rootOf(home)}/backups`).filter((path) => /kept-/.test(path));
    const { manifest } = await mustBeWhole(home, apps, kept);
    const old = manifest.version === "1.0.0";
    assert.deepEqual(notesIn(dataOf(home)), old ? ["one"] : ["one", "two"]);
    assert.equal(kept.length, old ? 1 : 0);
    for (const folder of kept) assert.deepEqual(notesIn(folder), ["one", "two"]);
    seen.add(manifest.version);
  });
  assert.deepEqual([...seen].sort(), ["1.0.0", "2.0.0"]);
});

Deno.test("killed at any change of a restore, the data is that of before or that of the backup", async () => {
  const prepare = async () => {
    const home = await laid();
    await home.apps.backup("small", `${home.root}/away`);
    add(dataOf(home), "two");
    return home;
  };
  const work = (home: AppHome) => home.apps.restore("small", `${home.root}/away`);
  await everywhere(prepare, work, async (home, apps) => {
    const kept = namesIn(`${rootOf(home)}/backups`);
    await mustBeWhole(home, apps, kept);
    const notes = notesIn(dataOf(home));
    assert.deepEqual(notes, kept.length === 1 ? ["one"] : ["one", "two"]);
    for (const folder of kept) assert.deepEqual(notesIn(folder), ["one", "two"]);
  });
});
