import assert from "node:assert/strict";
import { format } from "./format.ts";

Deno.test("values are put in, numbers as the language writes them", () => {
  assert.equal(format("{who} has {n}", { who: "ann", n: 1234.5 }, "en"), "ann has 1,234.5");
  assert.equal(format("{n}", { n: 1234.5 }, "de"), "1.234,5");
  assert.equal(format("nothing to fill", {}, "en"), "nothing to fill");
  assert.equal(format("{lost}", {}, "en"), "{lost}");
});

Deno.test("a value is never read as a text of its own", () => {
  assert.equal(
    format("{name} runs", { name: "{n, plural, other {#}}" }, "en"),
    "{n, plural, other {#}} runs",
  );
});

Deno.test("a plural takes the language's own form, an exact number first", () => {
  const text = "{n, plural, =0 {none} one {# row of {table}} other {# rows of {table}}}";
  assert.equal(format(text, { n: 0, table: "notes" }, "en"), "none");
  assert.equal(format(text, { n: 1, table: "notes" }, "en"), "1 row of notes");
  assert.equal(format(text, { n: 2000, table: "notes" }, "en"), "2,000 rows of notes");
  assert.equal(format("{n, plural, one {#} few {# few} other {# many}}", { n: 3 }, "pl"), "3 few");
});
