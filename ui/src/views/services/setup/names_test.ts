import assert from "node:assert/strict";
import { draftOf, freeName, nameFor, priceOf } from "./names.ts";

Deno.test("words become a name that is free", () => {
  assert.equal(nameFor("Mistral, personal key", []), "mistral-personal-key");
  assert.equal(nameFor("Überall 2", ["uberall-2"]), "uberall-2-2");
  assert.equal(nameFor("  42 ", []), "provider");
  assert.equal(freeName("a", ["a", "a-2"]), "a-3");
});

Deno.test("a reference is shown by where it comes from, and anything else as none", () => {
  assert.deepEqual(draftOf("store:key"), { way: "store", value: "key" });
  assert.deepEqual(draftOf("command:pass show x:y"), { way: "command", value: "pass show x:y" });
  assert.deepEqual(draftOf("typed:secret"), { way: "none", value: "" });
  assert.deepEqual(draftOf(undefined), { way: "none", value: "" });
});

Deno.test("a price may have a comma", () => {
  assert.deepEqual(["0,001", "2", " 3.5 ", "", "x", "-1"].map(priceOf), [
    0.001,
    2,
    3.5,
    undefined,
    undefined,
    undefined,
  ]);
});
