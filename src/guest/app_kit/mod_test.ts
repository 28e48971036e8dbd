import type * as declared from "./handler_app.d.ts";
import * as kit from "./mod.ts";
import assert from "node:assert/strict";

/** Fails to compile where the declarations say something else than the program does. */
const asDeclared: typeof declared = kit;

Deno.test("the declarations name what the program exports", async () => {
  const text = await Deno.readTextFile(new URL("./handler_app.d.ts", import.meta.url));
  const names = [...text.matchAll(/^export (?:function|class) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(names.sort(), Object.keys(asDeclared).sort());
});
