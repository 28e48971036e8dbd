import assert from "node:assert/strict";
import { envOf, envText, linesOf, wordsOf, wordsText } from "./form.ts";

Deno.test("a line is a word, however many spaces it has", () => {
  assert.deepEqual(linesOf(" a.example:443 \n\n b.example:80"), ["a.example:443", "b.example:80"]);
  assert.deepEqual(wordsOf("/bin/sh\n -c\n\necho hello  world"), ["/bin/sh", "-c", "echo hello  world"]);
});

Deno.test("a command comes back as it was, whatever its words are", () => {
  const words = ["/bin/sh", "-c", 'cd a\necho "b"\n', "", " x ", '"quoted"', "plain 'words'", "\\n"];
  assert.deepEqual(wordsOf(wordsText(words)), words);
  assert.equal(wordsText(["/bin/sh", "-c", "ls -l"]), "/bin/sh\n-c\nls -l");
  assert.deepEqual(wordsOf('"not closed'), ['"not closed']);
});

Deno.test("variables are lines and come back from them", () => {
  const env = { LANG: "de_DE.UTF-8", OPTIONS: "a=b c", EMPTY: "", TEXT: "two\nlines " };
  assert.deepEqual(envOf(envText(env)), env);
  assert.deepEqual(envOf("NAME"), { NAME: "" });
});
