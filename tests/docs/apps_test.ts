/** `docs/apps.md`, command by command in a fresh home with a real daemon, real sandboxes and a real window. */
import assert from "node:assert/strict";
import { isObject } from "../../src/base/mod.ts";
import { endGroup, findProgram } from "../../src/platform/mod.ts";
import { askPort } from "../apps/ask.ts";
import { until } from "../system/wait.ts";
import { stepsOf } from "./page.ts";
import { driversHere, Walk, type WalkOptions } from "./walk.ts";

const NEEDED = ["firefox", "dbus-run-session", "gsettings", "script", "bwrap"];
const missing = (await Promise.all(NEEDED.map(async (name) => [name, await findProgram(name)] as const)))
  .filter(([, path]) => path === undefined).map(([name]) => name);

Deno.test({
  name: `docs/apps.md leads from nothing to an app that is used, changed, shared and moved${
    missing.length > 0 ? ` (${missing.join(", ")} is not here)` : ""
  }`,
  ignore: missing.length > 0 && Deno.env.get("CI") !== "true",
  fn: follow,
});

const OPTIONS: Omit<WalkOptions, "driver"> = {
  instead: {},
  config: "",
  desktop: true,
  asks: /app rollback|remove notes --data/,
  env: { HANDLER_PORT: "0", DISPLAY: ":0", MOZ_HEADLESS: "1" },
};

async function follow(): Promise<void> {
  assert.ok((await driversHere()).includes("bubblewrap"), "an app's code is not Handler's own");
  await using walk = await Walk.begin({ ...OPTIONS, driver: "bubblewrap" });
  await walk.installCommands();
  await walk.startDaemon();
  const steps = await stepsOf("apps.md");
  assert.ok(steps.length > 25, `${steps.length} steps`);
  for (const step of steps) {
    await walk.follow(step, String);
    if (step.kind !== "command") continue;
    if (/app open notes +#/.test(step.line)) await windowShowsTheApp(walk);
    if (/app deploy notes$/.test(step.line)) await writeNote(walk, "another");
    if (/app restore/.test(step.line)) assert.deepEqual(await notesOf(walk), ["the first"]);
  }
  assert.deepEqual(await notesOf(walk), ["another", "the first"]);
}

/** The window loads the page, which asks the backend for its notes; then a note is written. */
async function windowShowsTheApp(walk: Walk): Promise<void> {
  try {
    await until("the window's page to call the backend", async () => {
      const { stdout } = await walk.shell("handler app status notes --json");
      return /"state": "running"/.test(stdout);
    }, 60_000);
  } finally {
    await closeWindow(walk);
  }
  await writeNote(walk, "the first");
}

/** Ends the browser of this home, by what its command line names. */
async function closeWindow(walk: Walk): Promise<void> {
  for await (const { name } of Deno.readDir("/proc")) {
    const words = /^\d+$/.test(name) ? await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "") : "";
    if (/firefox/.test(words) && words.includes(`${walk.home}/`) && words.includes("profile")) {
      endGroup(Number(name), "SIGKILL");
    }
  }
}

async function ask(walk: Walk, note?: string): Promise<unknown> {
  const { stdout } = await walk.shell("handler app open notes --print");
  const url = new URL(stdout.trim()), port = Number(url.port);
  const origin = { host: url.host, origin: url.origin };
  const opened = await askPort(port, {
    method: "POST",
    path: url.pathname,
    headers: origin,
    body: url.hash.slice(1),
  });
  const headers = { ...origin, cookie: opened.headers["set-cookie"]![0]!.split(";")[0]! };
  const body = note === undefined ? {} : { method: "POST", body: JSON.stringify({ text: note }) };
  const { status, text } = await askPort(port, {
    path: "/api/notes",
    headers: { ...headers, "content-type": "application/json" },
    ...body,
  });
  assert.ok(status < 300, text);
  return JSON.parse(text);
}

const writeNote = (walk: Walk, note: string) => ask(walk, note);

async function notesOf(walk: Walk): Promise<readonly unknown[]> {
  const notes = await ask(walk);
  assert.ok(Array.isArray(notes));
  return notes.map((note) => isObject(note) ? note.text : note);
}
