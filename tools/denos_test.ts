import assert from "node:assert/strict";
import { DENO_VERSION } from "../src/base/mod.ts";
import { denoOf, OLDEST_DENO, PINNED_DENOS, variableFor, versionOf } from "./denos.ts";

Deno.test("both versions are pinned exactly", () => {
  assert.deepEqual(PINNED_DENOS, [DENO_VERSION, OLDEST_DENO]);
  for (const version of PINNED_DENOS) assert.match(version, /^\d+\.\d+\.\d+$/);
});

Deno.test("a version is asked of the program itself", async () => {
  assert.equal(await versionOf(Deno.execPath()), Deno.version.deno);
  assert.equal(await versionOf("/bin/sh"), undefined);
  assert.equal(await versionOf("/no/such/deno"), undefined);
});

Deno.test("the Deno that runs is the Deno of its version", async () => {
  assert.equal(await denoOf(Deno.version.deno), Deno.execPath());
});

Deno.test("a person may name the Deno of a version", () => {
  assert.equal(variableFor("2.6.10"), "DENO_2_6");
});
