import assert from "node:assert/strict";
import { LineIndex } from "./line_index.ts";

Deno.test("offsets become lines and columns, from 1", () => {
  const index = new LineIndex("ab\n\ncd\r\ne");
  const places = [0, 1, 2, 3, 4, 5, 8, 9].map((offset) => Object.values(index.place(offset)).join(":"));
  assert.deepEqual(places, ["1:1", "1:2", "1:3", "2:1", "3:1", "3:2", "4:1", "4:2"]);
});

Deno.test("an empty text has one line", () => {
  assert.deepEqual(new LineIndex("").place(0), { line: 1, column: 1 });
});
