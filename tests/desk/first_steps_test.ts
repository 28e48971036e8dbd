/// <reference lib="dom" />
import assert from "node:assert/strict";
import { ROOT } from "../../tools/repository.ts";
import { deskTest } from "./desk.ts";

const INVOICE = `${ROOT}/interfaces/ocr/v1/conformance/invoice-scan.pdf`;

deskTest("a document of one's own is read in three steps, by keys alone", {}, async (visit) => {
  await visit.read("Read a document");
  await visit.tabTo("Choose a file");
  // the dialog for files is the browser's own: what it gives is given here
  await visit.give("Choose a file", INVOICE);
  await visit.read("1,084.85");
});

deskTest(
  "an app of one's own is made, deployed and opened in three steps, by keys alone",
  {},
  async (visit, desk) => {
    const { page } = visit;
    await visit.read("Make an app");
    await visit.tabTo("Make the app");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.pathname.startsWith("/apps/"), { polling: 50 });
    await visit.read("Deploy");
    await visit.tabTo("Deploy", "button");
    await page.keyboard.press("Enter");
    await visit.read("notes 0.1.0 is installed");
    const opened = new Promise<string>((opens) =>
      page.browser().once("targetcreated", (target) => opens(target.url()))
    );
    await visit.tabTo("Open notes");
    await page.keyboard.press("Enter");
    await opened;
    assert.equal((await desk.home.client.apps())[0]?.state !== "not deployed", true);
  },
);

deskTest("a conversation is begun and answered in three steps, by keys alone", {}, async (visit, desk) => {
  const { page } = visit;
  await visit.read("Start a conversation");
  await visit.tabTo("Start it");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.pathname.startsWith("/threads/"), { polling: 50 });
  await visit.see("textarea");
  await visit.tabTo("Say something");
  await page.keyboard.type("four eggs");
  await page.keyboard.down("Control");
  await page.keyboard.press("Enter");
  await page.keyboard.up("Control");
  await visit.read("Noted: four eggs. That makes 1.");
  const [thread] = await desk.home.client.threads({ limit: 1, offset: 0 });
  assert.equal(thread?.title, "Shopping list");
});
