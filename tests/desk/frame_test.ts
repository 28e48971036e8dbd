/// <reference lib="dom" />
import assert from "node:assert/strict";
import { deskTest } from "./desk.ts";

deskTest("the palette goes to a place, and back and reload keep it", {}, async (visit) => {
  const { page } = visit;
  await page.keyboard.down("Control");
  await page.keyboard.press("k");
  await page.keyboard.up("Control");
  await visit.see("dialog[open] input");
  await page.keyboard.type("home");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector("dialog[open]"));
  await visit.go("/nowhere");
  await visit.read("There is no page at /nowhere");
  await visit.press("Go home");
  await page.waitForFunction(() => location.pathname === "/");
  await page.goBack();
  await visit.read("There is no page at /nowhere");
  await page.reload();
  await visit.read("There is no page at /nowhere");
  assert.equal(await page.title(), "Nothing here · Handler");
});
