/**
 * An app that says what it is told to.
 * @module
 */
import assert from "node:assert/strict";
import { openApp } from "../apps/daemon.ts";
import { layApp, notes } from "../apps/small_app.ts";
import type { SystemHome } from "../system/home.ts";
import { ROOT } from "../../tools/repository.ts";

const TELL = `if (pathname === "/api/tell") {
  const { notify } = await import("./handler_app.js");
  await notify(await request.json());
  return new Response("told", { status: 202 });
}`;

/** Lays and registers one below a home; it keeps notes too. @returns its source */
export async function layTalker({ client, path }: SystemHome, name: string): Promise<string> {
  const source = `${path}/${name}`;
  await layApp(source, { name, manifest: "[needs]\nnotify = true", server: notes("", TELL) });
  await Deno.copyFile(`${ROOT}/build/guest/app_kit.js`, `${source}/server/handler_app.js`);
  await client.appAdd(source);
  return source;
}

/** What an app is to say, to whom: the owner where nobody is named. */
export interface Words {
  readonly title: string;
  readonly text?: string;
  readonly link?: string;
  readonly person?: string;
}

/** Has an app say something. */
export async function say(home: SystemHome, app: string, words: Words): Promise<void> {
  const page = await openApp(home, app);
  const asked = { method: "POST", path: "/api/tell", body: JSON.stringify(words) };
  assert.equal((await page.ask(asked)).status, 202);
}
