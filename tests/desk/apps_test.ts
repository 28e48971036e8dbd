/// <reference lib="dom" />
import assert from "node:assert/strict";
import { openApp } from "../apps/daemon.ts";
import { type DesktopSession, desktopSession } from "../desktop/session.ts";
import { layApp, notes } from "../apps/small_app.ts";
import type { SystemHome } from "../system/home.ts";
import { deskTest, type Visit } from "./desk.ts";

/** Presses what opens an app, and gives the page of the window that comes of it. */
async function opened(visit: Visit, name: string) {
  const browser = visit.page.browser();
  const before = await browser.pages();
  await visit.press(`Open ${name}`);
  for (;;) {
    const page = (await browser.pages()).find((one) =>
      !before.includes(one) && one.url().includes(`//${name}.`)
    );
    if (page && !page.url().includes("_handler")) return page;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function write(home: SystemHome, app: string, ...texts: readonly string[]): Promise<void> {
  const page = await openApp(home, app);
  for (const text of texts) {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ text });
    assert.ok((await page.ask({ method: "POST", path: "/api/notes", headers, body })).status < 300);
  }
}

async function change(file: string, from: string, to: string): Promise<void> {
  const text = await Deno.readTextFile(file);
  assert.ok(text.includes(from), file);
  await Deno.writeTextFile(file, text.replace(from, to));
}

deskTest("an app is made from the template, opened, changed, and taken back", {}, async (visit, { home }) => {
  const source = `${home.path}/jots`;
  await visit.go("/apps");
  await visit.press("Make the first app");
  await visit.fill("Name", "jots");
  await visit.fill("Folder for its source", source);
  await visit.press("Make it");
  await visit.read("First deploy: version 0.1.0");
  await visit.read("Nothing beyond its own page and data");
  await visit.press("Deploy", "button");
  await visit.read("jots 0.1.0 is installed");
  const app = await opened(visit, "jots");
  await app.waitForFunction(() => document.title === "Jots", { polling: 50 });
  await app.close();
  await visit.front();

  await write(home, "jots", "one", "two", "three");
  await visit.go("/apps/jots");
  await visit.read("Running");
  await change(`${source}/app.toml`, "egress = []", 'egress = ["api.example.com:443"]');
  await Deno.writeTextFile(
    `${source}/server/migrations/003_fewer.sql`,
    "DELETE FROM notes WHERE id = (SELECT min(id) FROM notes);",
  );
  await change(`${source}/app.toml`, 'version = "0.1.0"', 'version = "0.2.0"');
  await visit.read("Version 0.2.0 is ready to deploy"); // by itself
  await visit.press("Look and deploy");
  await visit.read("It may reach api.example.com:443 over the network");
  await visit.read("It asks for one thing that it could not do before");
  await visit.press("Deploy 0.2.0");
  await visit.read(/jots is being deployed|jots 0.2.0 is installed/);
  await visit.page.reload();
  await visit.read("jots 0.2.0 is installed");
  await visit.read("1 row lost");

  await write(home, "jots", "four");
  await visit.press("Versions", "link");
  await visit.press("Go back to 0.1.0");
  await visit.read("Written since, and lost to it: 1 row of notes.");
  await visit.press("Go back", "button");
  await visit.read("jots is back at 0.1.0");
  await visit.press("Put the data back");
  await visit.read("The data of jots was replaced");
});

const FAILING = `Deno.test("counts", () => { throw new Error("out of paper"); });`;

deskTest("what an app needs is chosen on the spot; what fails is shown, and nothing has changed", {
  async lay(home) {
    await Deno.mkdir(`${home.path}/home/Photos`);
    await layApp(`${home.path}/coach`, {
      name: "coach",
      manifest: '[needs]\nsecrets = ["COACH_KEY"]\nservices = ["ocr/v1"]\nfiles = { photos = "ro" }',
      server: `import "https://example.com/x.ts";\n${notes()}`,
      test: FAILING,
    });
  },
}, async (visit, { home }) => {
  const { client } = home, source = `${home.path}/coach`;
  await client.welcomeReader();
  await visit.go("/apps?add=folder");
  await visit.press("Look for it: Folder of the source");
  await visit.press("The folder around it");
  await visit.press("coach", "button");
  await visit.read(`${source}`);
  await visit.press("This folder");
  await visit.press("Add it");
  await visit.read("The source has a problem");
  await visit.read("coach/server/main.ts:1");
  await Deno.writeTextFile(`${source}/server/main.ts`, notes());
  await visit.unread("The source has a problem"); // by itself

  await visit.read("3 things above have to be chosen first");
  await visit.fill("Your folder for “photos”", `${home.path}/home/Photos`);
  await visit.press("Use this");
  await visit.read("It reads your folder");
  await visit.choose("Secret for COACH_KEY", "Type a new one");
  await visit.fill("The secret", "hush hush");
  await visit.press("Use this");
  await visit.read("From your secret coach-coach-key");
  await visit.choose("Provider of", "On this machine");
  await visit.unread("to be chosen first");
  const { hash } = await client.appPlan("coach");
  await visit.press("Deploy", "button");
  await visit.read("The deploy failed");
  await visit.read("out of paper");
  await visit.read("Nothing is installed, as before.");
  assert.ok(!(await visit.text()).includes("hush hush"));

  await layApp(source, { name: "coach", manifest: "[needs]\nnotify = true" });
  const { id } = await client.jobStart({ kind: "deploy", app: "coach", hash });
  await visit.go(`/apps/coach?tab=deploy&job=${id}`);
  await visit.read("The source has changed since you looked at it");
  await visit.read("It sends you messages, into your inbox");
});

deskTest("data is copied and put back, an app is shared, renamed and removed", {
  async lay(home) {
    await layApp(`${home.path}/notes`, { name: "notes", server: notes() });
  },
}, async (visit, { home }) => {
  const { client } = home;
  await client.appAdd(`${home.path}/notes`);
  await client.appDeploy("notes", (await client.appPlan("notes")).hash, () => {});
  await client.personAdd({ name: "alice", displayName: "Alice", desktop: false });
  await write(home, "notes", "one");

  await visit.go("/apps/notes?tab=data");
  await visit.fill("New folder", `${home.path}/copy`);
  await visit.press("Back up", "button");
  await visit.read(`The data of notes is in ${home.path}/copy`);
  await visit.press("Restore from a folder");
  await visit.fill("Folder with the copy", `${home.path}/copy`);
  await visit.press("Restore", "button");
  await visit.read("Those are set aside");
  await visit.press("Restore", "button");
  await visit.read("Set aside when it was replaced");

  await visit.go("/apps/notes?tab=persons");
  await visit.press("Share with Alice");
  await visit.read("Alice may use notes now");
  await visit.press("Link for Alice");
  await visit.read(/notes\.localhost:\d+\/_handler\/open#/);
  await visit.press("Take away from Alice");
  await visit.read("Alice may not use notes any more");
  assert.deepEqual((await client.app("notes")).persons, ["owner"]);

  await visit.go("/apps/notes");
  await visit.fill("Name of the app", "jots");
  await visit.press("Rename it");
  await visit.read("notes is now called jots");
  await visit.press("Remove", "link");
  await visit.press("Remove its data and their copies too");
  await visit.press("Remove with all data");
  await visit.fill("Type jots to go on", "jots");
  await visit.press("Remove with all data");
  await visit.read("There is no app yet");
  assert.deepEqual(await client.apps(), []);
});

/** Presses keys in the field that takes them, and waits until they are shown. */
async function pressKeys({ page }: Visit, modifier: "Alt" | "Control", key: "F4" | "F8", shown: string) {
  await (await page.waitForSelector("input[readonly]"))!.focus();
  await page.keyboard.down(modifier);
  await page.keyboard.press(key);
  await page.keyboard.up(modifier);
  await page.waitForFunction(
    (shown) => document.querySelector<HTMLInputElement>("input[readonly]")?.value === shown,
    { polling: 50 },
    shown,
  );
}

const SESSION = ["DBUS_SESSION_BUS_ADDRESS", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"];

let session: DesktopSession | undefined;

deskTest("keys are taken as they are pressed; what else the desktop does with them is said", {
  async lay(home) {
    session = await desktopSession();
    for (const name of SESSION) home.env[name] = Deno.env.get(name) ?? "";
    await layApp(`${home.path}/notes`, { name: "notes" });
  },
}, async (visit, { home }) => {
  await using _ = session;
  await home.client.appAdd(`${home.path}/notes`);
  await visit.go("/apps/notes");
  await pressKeys(visit, "Control", "F8", "Ctrl + F8");
  await visit.press("Use these keys");
  await visit.read("Ctrl + F8 opens this app now");
  assert.equal((await home.client.app("notes")).shortcut, "<Control>F8");
  await pressKeys(visit, "Alt", "F4", "Alt + F4");
  await visit.press("Use these keys");
  await visit.read("org.gnome.desktop.wm.keybindings close");
  await visit.press("Take it away");
  await visit.read("No keys of the desktop open this app");
});

deskTest("a desktop without shortcuts says so", {
  async lay(home) {
    home.env.XDG_RUNTIME_DIR = home.path; // out of reach of the machine's own desktop
    await layApp(`${home.path}/notes`, { name: "notes" });
  },
}, async (visit, { home }) => {
  await home.client.appAdd(`${home.path}/notes`);
  await visit.go("/apps/notes");
  await pressKeys(visit, "Alt", "F8", "Alt + F8");
  await visit.press("Use these keys");
  await visit.read("this desktop's shortcuts cannot be changed");
});
