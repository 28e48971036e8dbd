import assert from "node:assert/strict";
import { hiddenCharacters, textsOf } from "./lint_text.ts";

const names = (text: string) => hiddenCharacters(text).map(({ name }) => name);

Deno.test("text in any script, newlines and tabs pass", () => {
  assert.deepEqual(names("Größe, 日本語, العربية, हिन्दी, emoji 🦕\n\tindented"), []);
});

for (
  const [what, character, name] of [
    ["zero width space", "\u200b", "U+200B"],
    ["zero width joiner", "\u200d", "U+200D"],
    ["byte order mark", "\ufeff", "U+FEFF"],
    ["soft hyphen", "\u00ad", "U+00AD"],
    ["right-to-left override", "\u202e", "U+202E"],
    ["isolate", "\u2066", "U+2066"],
    ["Arabic letter mark", "\u061c", "U+061C"],
    ["tag letter", "\u{e0041}", "U+E0041"],
    ["variation selector", "\ufe0f", "U+FE0F"],
    ["escape", "\u001b", "U+001B"],
    ["C1 control", "\u009b", "U+009B"],
    ["carriage return", "\r", "U+000D"],
    ["half a surrogate pair", "\ud800", "U+D800"],
    ["line separator", "\u2028", "U+2028"],
    ["Hangul filler", "\u3164", "U+3164"],
  ] as const
) {
  Deno.test(`${what} is found`, () => assert.deepEqual(names(`a${character}b`), [name]));
}

Deno.test("the place is the offset in the text", () => {
  assert.deepEqual(hiddenCharacters("one\n🦕x\u200b"), [{ name: "U+200B", offset: 7 }]);
});

Deno.test("all texts of a value come with their paths", () => {
  assert.deepEqual(textsOf({ a: ["x", 1, { b: "y" }] }), [
    { path: ["a"], text: "a" },
    { path: ["a", 0], text: "x" },
    { path: ["a", 2, "b"], text: "b" },
    { path: ["a", 2, "b"], text: "y" },
  ]);
});
