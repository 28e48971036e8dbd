import assert from "node:assert/strict";
import { type AppHome, appHome } from "../../tests/fakes/app_home.ts";

const call = async ({ apps }: AppHome, name = "notes") => {
  using backend = await apps.acquire(name, new AbortController().signal);
  return backend.socket;
};

/** What waits, once all that was begun is done. */
async function waiting({ sandboxes }: AppHome): Promise<readonly string[]> {
  for (let turn = 0; turn < 20; turn++) await new Promise((later) => setTimeout(later, 1));
  return [...sandboxes.waiting].map(({ name }) => name);
}

Deno.test("of an app that was stopped a sandbox waits, and the next call takes it", async () => {
  await using home = await appHome();
  await home.install({ name: "notes" });
  assert.deepEqual(await waiting(home), [], "nobody has called it yet");
  await call(home);
  await home.apps.stop("notes");
  const [name] = await waiting(home);
  assert.ok(name);
  assert.equal(home.apps.state("notes"), "stopped");
  await call(home);
  assert.deepEqual(home.sandboxes.specs.at(-1)?.name, name);
  assert.deepEqual(await waiting(home), []);
});

Deno.test("whoever loads the page is likely to call", async () => {
  await using home = await appHome();
  await home.install({ name: "notes" });
  home.apps.page("notes");
  home.apps.page("notes");
  assert.equal((await waiting(home)).length, 1);
});

Deno.test("a deploy takes down what waits, and makes another on its version", async () => {
  await using home = await appHome();
  await home.install({ name: "notes" });
  home.apps.page("notes");
  const [before] = await waiting(home);
  await home.deploy("notes");
  const [after] = await waiting(home);
  assert.ok(after && before && after !== before);
  const [spec] = home.sandboxes.waiting;
  assert.ok(spec?.mounts.some(({ source }) => source.endsWith("/versions/2")));
});

Deno.test("what waits is not used where a folder that it sees was exchanged", async () => {
  await using home = await appHome();
  const pictures = `${home.root}/pictures`;
  await Deno.mkdir(pictures);
  const source = await home.install({ name: "notes" });
  await Deno.writeTextFile(`${source}/app.toml`, `[needs]\nfiles = { pictures = "ro" }\n`, { append: true });
  await home.apps.settle("notes", (settings) => ({ ...settings, files: { pictures } }));
  await home.deploy("notes");
  home.apps.page("notes");
  const [name] = await waiting(home);
  await Deno.rename(pictures, `${pictures}.old`);
  await Deno.mkdir(pictures);
  await call(home);
  assert.notEqual(home.sandboxes.specs.at(-1)?.name, name);
  assert.deepEqual(await waiting(home), []);
});

Deno.test("what waited and is gone is no failure: the backend starts as ever", async () => {
  await using home = await appHome();
  await home.install({ name: "notes" });
  home.apps.page("notes");
  await waiting(home);
  home.sandboxes.waiting.clear();
  assert.ok(await call(home));
  assert.ok(home.lines.some((line) => line.includes("what waited for the app notes was gone")));
});

Deno.test("an app with secrets has nothing that waits: a secret is looked up at the start", async () => {
  await using home = await appHome();
  const source = await home.install({ name: "notes" });
  await Deno.writeTextFile(`${source}/app.toml`, `[needs]\nsecrets = ["KEY"]\n`, { append: true });
  await home.apps.settle(
    "notes",
    (settings) => ({ ...settings, secrets: { KEY: { kind: "store", name: "key" } } }),
  );
  await home.deploy("notes");
  home.apps.page("notes");
  assert.deepEqual(await waiting(home), []);
});

Deno.test("no more wait than are of use, and none after the end", async () => {
  await using home = await appHome();
  for (let n = 0; n < 18; n++) {
    await home.install({ name: `app-${n}` });
    home.apps.page(`app-${n}`);
  }
  assert.equal((await waiting(home)).length, 16);
  await home.apps.close();
  assert.deepEqual(await waiting(home), []);
});
