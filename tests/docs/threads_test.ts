/** `docs/threads.md`, word by word in a fresh home: a newcomer's project of three files works. */
import assert from "node:assert/strict";
import { stepsOf } from "./page.ts";
import { driversHere, Walk } from "./walk.ts";

Deno.test("docs/threads.md leads from three files to a thread that answers", async () => {
  await using walk = await Walk.begin({
    driver: (await driversHere())[0]!,
    instead: {},
    config: 'denoDriverFor = ["kitchen"]',
  });
  await walk.installCommands();
  await walk.startDaemon();
  const steps = await stepsOf("threads.md");
  for (const step of steps) await walk.follow(step, String);
  assert.ok(steps.filter(({ kind }) => kind === "file").length >= 3);
  const listed = await walk.shell("handler threads list kitchen");
  assert.match(listed.stdout, /agent +shopper +agents\/agents\/shopper\.ts +Keeps a shopping list/);
});
