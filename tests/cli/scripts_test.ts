import assert from "node:assert/strict";
import { play } from "./play.ts";
import { readScript, replaceSteps } from "./script.ts";

/** Every script is a test; UPDATE_GOLDEN=1 writes what was found into the scripts instead. */
const FOLDER = new URL("./scripts/", import.meta.url);
const update = Deno.env.get("UPDATE_GOLDEN") === "1";

for (const { name } of [...Deno.readDirSync(FOLDER)].sort((a, b) => (a.name < b.name ? -1 : 1))) {
  if (!name.endsWith(".txt")) continue;
  Deno.test(`script ${name}`, async () => {
    const text = await Deno.readTextFile(new URL(name, FOLDER));
    const { differences, steps } = await play(readScript(text));
    if (update) await Deno.writeTextFile(new URL(name, FOLDER), replaceSteps(text, steps));
    else assert.equal(differences.join("\n\n"), "");
  });
}
