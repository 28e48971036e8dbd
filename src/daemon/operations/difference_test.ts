import assert from "node:assert/strict";
import { lineDifference } from "./difference.ts";

Deno.test("equal texts do not differ; a changed line is taken out and put in at its place", () => {
  assert.deepEqual(lineDifference("a\nb", "a\nb"), []);
  assert.deepEqual(lineDifference("a\nb\nc", "a\nx\nc"), ["- b", "+ x"]);
  assert.deepEqual(lineDifference("a", "a\nb"), ["+ b"]);
  assert.deepEqual(lineDifference("a\nb", "b"), ["- a"]);
});

Deno.test("very long texts are compared as wholes", () => {
  assert.deepEqual(lineDifference("x\n".repeat(3000), "y"), ["- 3001 lines", "+ 1 lines"]);
});
