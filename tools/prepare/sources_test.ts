import assert from "node:assert/strict";
import { partOf } from "./sources.ts";

const TEXT = `// deno-lint-ignore-file no-empty-interface -- filled elsewhere
import type { A } from "./a.ts";
import {
  b,
  type C,
} from "./b.ts";

export const d: A = b;
export function e(): C {}
`;

Deno.test("a source goes in without what it imports, its exports open or closed", () => {
  assert.equal(
    partOf({ path: "x.ts", isPublic: true }, TEXT),
    "export const d: A = b;\nexport function e(): C {}\n",
  );
  assert.equal(partOf({ path: "x.ts", isPublic: false }, TEXT), "const d: A = b;\nfunction e(): C {}\n");
});

Deno.test("a source that needs more than the others is refused", () => {
  for (const line of [`import { z } from "zod";`, `export * from "./a.ts";`, `export { a };`]) {
    assert.throws(() => partOf({ path: "x.ts", isPublic: true }, line), /cannot be put together/, line);
  }
});
