import assert from "node:assert/strict";
import { globPattern } from "./glob.ts";

Deno.test("globs find what their signs say", () => {
  const cases: readonly (readonly [glob: string, fits: readonly string[], not: readonly string[]])[] = [
    ["*.pdf", ["/a.pdf", "/x/y/a.pdf"], ["/a.pdfx", "/a.txt"]],
    ["/attachments/*", ["/attachments/a.b"], ["/attachments/a/b", "/x/attachments/a"]],
    ["/a/**", ["/a/b", "/a/b/c"], ["/ab", "/b"]],
    ["/a/**/c.txt", ["/a/c.txt", "/a/b/x/c.txt"], ["/a/bc.txt"]],
    ["scan?.{png,jpg}", ["/scan1.png", "/x/scan2.jpg"], ["/scan.png", "/scan1.gif"]],
    ["[a-c]x.md", ["/bx.md"], ["/dx.md"]],
    ["[!a]x", ["/bx"], ["/ax"]],
    ["a+(b).txt", ["/a+(b).txt"], ["/aab.txt"]],
  ];
  for (const [glob, fits, not] of cases) {
    for (const path of fits) assert.ok(globPattern(glob).test(path), `${glob} fits ${path}`);
    for (const path of not) assert.ok(!globPattern(glob).test(path), `${glob} does not fit ${path}`);
  }
  assert.throws(() => globPattern("[a"), /a \[ without its \]/);
  assert.throws(() => globPattern("{a"), /a \{ without its \}/);
});
