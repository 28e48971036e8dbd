import assert from "node:assert/strict";
import { format } from "./format.ts";
import { pseudo } from "./pseudo.ts";

Deno.test("the pseudo-language changes letters, is longer, and keeps what is filled in", () => {
  assert.equal(pseudo("Go home"), "[Gó hómé···]");
  assert.equal(format(pseudo("Type {text} now"), { text: "yes" }, "en"), "[Týpé yes ñów······]");
});

Deno.test("the pseudo-language keeps the forms of a plural", () => {
  const text = pseudo("{n, plural, one {# row} other {# rows}}");
  assert.match(format(text, { n: 1 }, "en"), /^\[1 rów·+\]$/);
  assert.match(format(text, { n: 2 }, "en"), /^\[2 rówš·+\]$/);
});
