import assert from "node:assert/strict";
import { gvariantString, gvariantStrings, parseGvariantString, parseGvariantStrings } from "./gvariant.ts";

Deno.test("texts are quoted so that nothing of them is read as anything else", () => {
  assert.equal(gvariantString("it's \\ a\ntab\t"), "'it\\'s \\\\ a\\ntab\\t'");
  assert.equal(gvariantStrings([]), "@as []");
  assert.equal(gvariantStrings(["a", "b', 'c"]), "['a', 'b\\', \\'c']");
});

Deno.test("lists are read in every spelling that GLib has", () => {
  assert.deepEqual(parseGvariantStrings("@as []\n"), []);
  assert.deepEqual(parseGvariantStrings("['/a/', \"it's\", 'x\\'y', '\\u00e9\\U0001f600\\n']"), [
    "/a/",
    "it's",
    "x'y",
    "é😀\n",
  ]);
  for (const wrong of ["", "[1, 2]", "['a' 'b']", "['a',]", "'a'", "['a"]) {
    assert.throws(() => parseGvariantStrings(wrong), { kind: "unavailable" }, wrong);
  }
});

Deno.test("one text is read, and nothing that only looks like one", () => {
  assert.equal(parseGvariantString("'<Super>n'\n"), "<Super>n");
  assert.equal(parseGvariantString("['a']"), undefined);
  assert.equal(parseGvariantString("'a' 'b'"), undefined);
});

Deno.test("what is quoted reads as what it was", () => {
  for (const text of ["", "'", '"', "\\", "\\n", "a\nb", "é😀", "@as []"]) {
    assert.equal(parseGvariantString(gvariantString(text)), text);
  }
});
