import assert from "node:assert/strict";
import { licenceIn } from "./licence.ts";
import { forbiddenIn, loosePins } from "./rules.ts";

Deno.test("only exact pins and paths are imports", () => {
  assert.deepEqual(
    loosePins({ a: "npm:a@1.2.3", b: "npm:@s/b@1.2.3-rc.1/sub", "c/": "npm:/c@1.2.3/", d: "./src/d.ts" }),
    [],
  );
  for (const loose of ["npm:a@^1.2.3", "npm:a@1", "npm:a", "jsr:@s/a@1.0.0", "https://example.com/a.ts"]) {
    assert.equal(loosePins({ a: loose }).length, 1, loose);
  }
});

Deno.test("an import in the wrong part is named with its reason", () => {
  assert.match(forbiddenIn("guest", ["hono"])[0] ?? "", /guest must not import hono: .*sandbox/);
  assert.equal(forbiddenIn("cli", ["hono", "zod"]).length, 1);
  assert.equal(forbiddenIn("daemon", ["hono", "ajv", "lodash"]).length, 1);
});

Deno.test("a licence is read however a package writes it", () => {
  assert.equal(licenceIn({ license: "MIT" }), "MIT");
  assert.equal(licenceIn({ license: { type: "ISC" } }), "ISC");
  assert.equal(licenceIn({ licenses: [{ type: "BSD-3-Clause" }] }), "BSD-3-Clause");
  assert.equal(licenceIn({}), "unknown");
});
