import assert from "node:assert/strict";
import { slug } from "./slug.ts";

Deno.test("a heading's name is what Markdown viewers make of it", () => {
  assert.equal(slug("A person's side"), "a-persons-side");
  assert.equal(slug("What `handler` prints, and why"), "what-handler-prints-and-why");
  assert.equal(slug("Größe"), "größe");
});
