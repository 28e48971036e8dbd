/// <reference lib="dom" />
import assert from "node:assert/strict";
import { deployApp } from "../apps/daemon.ts";
import type { SystemHome } from "../system/home.ts";
import { deskTest, type Visit } from "./desk.ts";
import { layTalker, say } from "./talker.ts";

/** One that is deployed, and shared with Alice. */
async function talker(home: SystemHome, name: string): Promise<void> {
  await layTalker(home, name);
  await deployApp(home, name);
  await home.client.appShare(name, "alice", true);
}

/** Waits until the sidebar counts so many messages; 0 shows none. */
async function seeCount({ page }: Visit, count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => (document.querySelector("header .count")?.textContent ?? "0") === wanted,
    { polling: 50 },
    String(count),
  );
}

deskTest("what apps say comes by itself, is read, sorted and taken back", {}, async (visit, { home }) => {
  await home.client.personAdd({ name: "alice", displayName: "Alice", desktop: false });
  await talker(home, "coach");
  await talker(home, "tides");
  await visit.go("/inbox");
  await visit.read("Nothing was said yet");
  await say(home, "coach", { title: "Time for a walk", text: "The sun is out", link: "/today" });
  await visit.read("Time for a walk");
  await seeCount(visit, 1);
  await say(home, "tides", { title: "High water at 9" });
  await say(home, "coach", { title: "Hello Alice", person: "alice" });
  await visit.read("High water at 9");
  await seeCount(visit, 2);

  await visit.choose("Said by", "coach, an app");
  await visit.unread("High water at 9");
  await visit.press("Mark as read: Time for a walk");
  await seeCount(visit, 1);
  await visit.choose("Said by", "Anyone");
  await visit.press("Unread", "link");
  await visit.unread("Time for a walk");
  await visit.page.reload();
  await visit.read("High water at 9");
  await visit.press("Mark all as read");
  await visit.read("Everything is read");
  await seeCount(visit, 0);
  await visit.press("Undo");
  await seeCount(visit, 1);

  await visit.press("All", "link");
  const browser = visit.page.browser();
  const before = (await browser.pages()).length;
  await visit.press("Open it in coach");
  while (
    (await browser.pages()).length === before ||
    !(await browser.pages()).some((page) => page.url().endsWith("/today"))
  ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await visit.front();
  await visit.choose("Inbox of", "Alice");
  await visit.read("Hello Alice");
});

deskTest(
  "persons come, change and go; apps that they use are taken away first",
  {},
  async (visit, { home }) => {
    const { client } = home;
    await visit.go("/persons");
    await visit.press("Add a person");
    await visit.fill("Name", "alice");
    await visit.fill("Name as it is shown", "Alice");
    await visit.press("Add", "button");
    await visit.read("Alice is added");
    await visit.press("Edit Alice");
    await visit.fill("Name as it is shown", "Alice B.");
    await visit.press("Save");
    await visit.read("Alice B. is saved");
    await talker(home, "coach");
    await visit.see('li[aria-label="Alice B."] a[href*="coach"]'); // by itself

    const desktop = await visit.see('li[aria-label="Alice B."] input[type=checkbox]');
    await desktop.click();
    await visit.read("Messages to Alice B. appear on the desktop");
    assert.equal((await client.persons()).find(({ name }) => name === "alice")?.desktop, true);
    await visit.press("Remove Alice B.");
    await visit.read("Alice B. may still use coach");
    await visit.press("Take the apps away and remove");
    await visit.read("Alice B. is removed");
    assert.deepEqual((await client.persons()).map(({ name }) => name), ["owner"]);
    assert.deepEqual((await client.app("coach")).persons, ["owner"]);
  },
);
