import assert from "node:assert/strict";
import { NO_SETTINGS } from "../apps/mod.ts";
import { TestClock } from "../base/mod.ts";
import { watchSources } from "./app_sources.ts";
import { Changes } from "./changes.ts";

Deno.test("a manifest that was written anew is told of, while somebody watches", async () => {
  const source = await Deno.makeTempDir();
  const file = `${source}/app.toml`;
  await Deno.writeTextFile(file, "");
  const clock = new TestClock();
  const changes = new Changes(clock);
  const app = { name: "notes", source, settings: NO_SETTINGS, versions: [] };
  let looked = 0;
  const stop = watchSources({ clock, changes, apps: () => (looked++, [app]) });
  /** Lets time pass until the next look is over. */
  const look = async () => {
    clock.tick(3000);
    await new Promise((go) => setTimeout(go, 20));
  };
  await look();
  assert.equal(looked, 0, "nobody watches");
  const left = new AbortController();
  const watching = changes.watch(left.signal);
  const first = watching.next();
  await look();
  await look();
  await Deno.utime(file, new Date(), new Date(Date.now() + 5000));
  await look();
  assert.deepEqual((await first).value, { topic: "apps", key: "notes" });
  stop();
  const before = looked;
  await look();
  assert.equal(looked, before);
  left.abort();
  await Deno.remove(source, { recursive: true });
});
