import assert from "node:assert/strict";
import { jsonPlaces } from "./json_places.ts";

const TEXT = `[{
  "a": { "b": [1, {}, [], "x"],
         "c:,": null },
  "d": "}"
},
  true]`;

for (
  const [path, line, column] of [
    [[], 1, 1],
    [[0], 1, 2],
    [[0, "a"], 2, 3],
    [[0, "a", "b"], 2, 10],
    [[0, "a", "b", 1], 2, 19],
    [[0, "a", "b", 3], 2, 27],
    [[0, "a", "c:,"], 3, 10],
    [[0, "d"], 4, 3],
    [[1], 6, 3],
    [[0, "a", "missing", "deep"], 2, 3],
  ] as const
) {
  Deno.test(`place of ${JSON.stringify(path)}`, () => {
    assert.deepEqual(jsonPlaces(TEXT).placeOf(path), { line, column });
  });
}

Deno.test("a name that stands twice is noted with its path", () => {
  const { repeated } = jsonPlaces(`{"a": {"x": 1, "\\u0078": 2}, "b": [{"x": 1}, {"x": 1}]}`);
  assert.deepEqual(repeated, [["a", "x"]]);
});
