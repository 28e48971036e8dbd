import assert from "node:assert/strict";
import { makeLogger, silentLogger } from "../../src/base/mod.ts";
import { sessionDesktop } from "../../src/inbox/mod.ts";
import { desktopSession } from "./session.ts";

const NOTICE = {
  title: "coach: it's \"9\" o'clock \\ @as []",
  text: "<b>One</b> & <a href='https://evil.example'>two</a>\n-- three",
};
const ESCAPED = "&lt;b&gt;One&lt;/b&gt; &amp; &lt;a href='https://evil.example'&gt;two&lt;/a&gt;\n-- three";

for (const program of ["gdbus", "busctl", "notify-send"]) {
  Deno.test(`${program} shows a notice on the desktop, and nothing of it is markup`, async () => {
    await using session = await desktopSession();
    await session.onlyPrograms(program);
    await using service = await session.notifications("body", "body-markup");
    await sessionDesktop({ log: silentLogger }).show(NOTICE);
    const { app, summary, body, actions } = await service.next();
    assert.deepEqual([app, summary, body, actions], ["Handler", NOTICE.title, ESCAPED, []]);
  });
}

Deno.test("a service that reads no markup gets the text as it is", async () => {
  await using session = await desktopSession();
  await using service = await session.notifications("body");
  await sessionDesktop({ log: silentLogger }).show({ title: "-title", text: NOTICE.text });
  const { summary, body } = await service.next();
  assert.deepEqual([summary, body], ["-title", NOTICE.text]);
});

Deno.test("no service, no program and no bus fail nothing", async () => {
  await using session = await desktopSession();
  const lines: string[] = [];
  const log = makeLogger((level, message) => void lines.push(`${level} ${message}`));
  await sessionDesktop({ log }).show(NOTICE);
  assert.deepEqual(lines, ["debug a notice was not shown on the desktop"]);
  await session.onlyPrograms();
  await sessionDesktop({ log }).show(NOTICE);
  Deno.env.delete("DBUS_SESSION_BUS_ADDRESS");
  await sessionDesktop({ log }).show(NOTICE);
  assert.equal(lines.length, 1);
});
