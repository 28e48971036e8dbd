import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { fileUrl } from "./file_url.ts";

Deno.test("a path's URL is the one that Node gives", () => {
  for (const path of ["/a/b.ts", "/zwölf 100%/a?b#c.ts", "/a%20b"]) {
    assert.equal(new URL(fileUrl(path)).pathname, pathToFileURL(path).pathname);
  }
});
