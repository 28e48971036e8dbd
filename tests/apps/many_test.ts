import assert from "node:assert/strict";
import type { Desk } from "./desk.ts";
import { visit } from "./ask.ts";
import { onDriver, onDrivers } from "./drivers.ts";
import { layApp, notes } from "./small_app.ts";

/** Asks again and again until it is told to end: what each answer was. */
function polling(ask: () => Promise<{ readonly status: number }>) {
  const seen = new Map<number | string, number>();
  let goes = true;
  const ended = (async () => {
    while (goes) {
      const status = await ask().then(({ status }) => status, (error) => String(error));
      seen.set(status, (seen.get(status) ?? 0) + 1);
      await new Promise((later) => setTimeout(later, 10));
    }
  })();
  return {
    async end() {
      goes = false;
      await ended;
      return Object.fromEntries(seen);
    },
  };
}

/** Deploys many times under clients that read, write and load the page all the while. */
async function deployManyTimes(desk: Desk, times: number): Promise<void> {
  const source = await desk.lay({ name: "notes" });
  await desk.deploy("notes");
  const page = await visit(desk, "notes");
  let written = 0;
  const write = async () => {
    const answer = await page.ask({ method: "POST", path: "/api/notes", body: `${written}` });
    if (answer.status === 201) written++;
    return answer;
  };
  const clients = [
    polling(() => page.ask({ path: "/api/notes" })),
    polling(write),
    polling(() => page.ask({})),
  ];
  for (let time = 1; time <= times; time++) {
    await layApp(source, { name: "notes", version: `1.0.${time}`, server: notes(`-- ${time}`) });
    await desk.deploy("notes");
  }
  const answers = await Promise.all(clients.map((client) => client.end()));
  assert.deepEqual(answers.map((seen) => Object.keys(seen)), [["200"], ["201"], ["200"]]);
  const kept: string[] = JSON.parse((await page.ask({ path: "/api/notes" })).text);
  assert.deepEqual(kept, Array.from({ length: written }, (_, at) => `${at}`), "each note once, in order");
  assert.deepEqual(desk.lines.filter((line) => line.startsWith("warn")), []);
  const { versions } = desk.apps.registry.get("notes");
  assert.deepEqual(versions.map(({ number }) => number), [times + 1, times, times - 1]);
}

onDriver(
  "bubblewrap",
  "200 deploys in a row under clients: no request fails",
  (desk) => deployManyTimes(desk, 200),
);

onDriver(
  "podman",
  "5 deploys in a row under clients: no request fails",
  (desk) => deployManyTimes(desk, 5),
);

onDrivers(
  "ten apps woken at once all answer",
  async (desk, driver) => {
    const names = Array.from({ length: 10 }, (_, at) => `app-${at}`);
    for (const name of names) {
      await desk.lay({ name });
      await desk.deploy(name);
    }
    const pages = await Promise.all(names.map((name) => visit(desk, name)));
    const started = performance.now();
    const answers = await Promise.all(pages.map((page) => page.ask({ path: "/api/notes" })));
    const ms = Math.round(performance.now() - started);
    assert.deepEqual(answers.map(({ status, text }) => `${status} ${text}`), names.map(() => "200 []"));
    assert.ok(ms < 30_000, `${driver}: ${ms} ms`);
    for (const name of names) await desk.apps.stop(name);
  },
);
