import assert from "node:assert/strict";
import { plainValue, shellWord, unitVariable, unitWord, xmlText } from "./quote.ts";

Deno.test("words of a unit stand for themselves", () => {
  assert.equal(unitWord("/usr/bin/deno"), "/usr/bin/deno");
  assert.equal(unitWord('/home/a b/100%/$x/"q"\\'), '"/home/a b/100%%/$$x/\\"q\\"\\\\"');
  assert.equal(unitWord(""), '""');
  assert.equal(unitVariable("A", "one two"), '"A=one two"');
  assert.equal(unitVariable("A", "$x%"), "A=$x%%");
  assert.equal(plainValue("/run/a b%/x"), "/run/a b%%/x");
});

Deno.test("what would end a line is refused", () => {
  for (const text of ["a\nb", "a\rb", "a\0b"]) assert.throws(() => unitWord(text), /control characters/);
});

Deno.test("words of a shell and texts of XML stand for themselves", async () => {
  const odd = 'it\'s $HOME `x` "y" \\ *';
  const { stdout } = await new Deno.Command("/bin/sh", { args: ["-c", `printf %s ${shellWord(odd)}`] })
    .output();
  assert.equal(new TextDecoder().decode(stdout), odd);
  assert.equal(xmlText("a<b>&c"), "a&lt;b&gt;&amp;c");
});
