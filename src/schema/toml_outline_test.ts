import assert from "node:assert/strict";
import { parse, stringify } from "smol-toml";
import { LineIndex } from "./line_index.ts";
import { nodeAt, outlineToml } from "./toml_outline.ts";
import type { TomlPath } from "./toml_path.ts";
import { setKey } from "./toml_edit.ts";

const DOCUMENT = `# головной комментарий = "x"
"ключ" = '''не [таблица]
a = 1''' # [нет]
plain.'dotted "x"'."é.è" = 1979-05-27T07:32:00Z
text = "a # b \\" ] } , = 'c'"   # "comment"
long = """"quoted" \\
  and """"
array = [ [1, 2], ["a]", 'b}'], # [x]
  { k = "}" , n.m = [ { deep = true } ] },
]
inline = { a = 1, "b.c" = { d = 2, }, # comment }
  e = """}
""" }
date = 1979-05-27 07:32:00.999 # with a blank

[ table . "q t" ]
x=1
[table]
y = -inf
[[list]]
[[list.inner]]
z = 0xDEADBEEF
[[list.inner]]
[[list]]
'' = "empty key"
[list.sub]
"\\u00e9" = 'escaped'
`;

function paths(value: unknown, path: TomlPath = []): readonly TomlPath[] {
  const parts = Array.isArray(value)
    ? value.map((part, index) => [index, part] as const)
    : typeof value === "object" && value !== null && !(value instanceof Date)
    ? Object.entries(value)
    : [];
  return [path, ...parts.flatMap(([key, part]) => paths(part, [...path, key]))];
}

Deno.test("every key and element of a document has its place, and nothing else has", () => {
  const outline = outlineToml(DOCUMENT);
  const all = paths(parse(DOCUMENT));
  for (const path of all) assert.ok(nodeAt(outline, path), path.join("."));
  const count = (node: { children: Map<string, never> }): number =>
    1 + [...node.children.values()].reduce((sum, child) => sum + count(child), 0);
  assert.equal(count(outline.root as never), all.length);
});

Deno.test("places are exact", () => {
  const outline = outlineToml(DOCUMENT);
  const lines = new LineIndex(DOCUMENT);
  const place = (...path: (string | number)[]) => lines.place(nodeAt(outline, path)?.at ?? -1);
  assert.deepEqual(place("ключ"), { line: 2, column: 1 });
  assert.deepEqual(place("plain", 'dotted "x"', "é.è"), { line: 4, column: 20 });
  assert.deepEqual(place("array", 2, "n", "m", 0, "deep"), { line: 9, column: 25 });
  assert.deepEqual(place("inline", "e"), { line: 12, column: 3 });
  assert.deepEqual(place("table", "q t", "x"), { line: 17, column: 1 });
  assert.deepEqual(place("list", 0, "inner", 1), { line: 23, column: 8 });
  assert.deepEqual(place("list", 1, "sub", "é"), { line: 27, column: 1 });
});

Deno.test("the text of every value, read alone, is the value", () => {
  const outline = outlineToml(DOCUMENT);
  for (const path of paths(parse(DOCUMENT))) {
    const entry = nodeAt(outline, path)?.entry;
    if (!entry) continue;
    const alone = parse(`v = ${DOCUMENT.slice(entry.valueStart, entry.valueEnd)}`)["v"];
    const meant = path.reduce<unknown>(
      (at, step) => (at as Record<string | number, unknown>)[step],
      parse(DOCUMENT),
    );
    assert.deepEqual(alone, meant, path.join("."));
  }
});

/** A generator that gives the same numbers each time. */
function dice(seed: number): (sides: number) => number {
  return (sides) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return (seed >> 8) % sides;
  };
}

const KEYS = ["a", "b c", "é", 'q"', "'", "日本", "x.y", "k#"];

function randomValue(roll: (sides: number) => number, depth: number): unknown {
  const scalars = [
    "text",
    'with "quotes" # and [brackets]',
    "two\nlines",
    "日本 🌊",
    1,
    1.5,
    true,
    -0.25,
    "",
  ];
  if (depth === 0 || roll(3) > 0) return scalars[roll(scalars.length)];
  if (roll(2) === 0) return Array.from({ length: roll(4) }, () => randomValue(roll, 0));
  return Object.fromEntries(
    Array.from({ length: roll(4) }, () => [KEYS[roll(KEYS.length)], randomValue(roll, depth - 1)]),
  );
}

Deno.test("documents of chance: every key has its place, and setting each to itself keeps all", () => {
  const roll = dice(7);
  for (let round = 0; round < 100; round++) {
    const document = Object.fromEntries(KEYS.map((key) => [key, randomValue(roll, 3)]));
    const text = stringify(document);
    const outline = outlineToml(text);
    for (const path of paths(parse(text))) {
      assert.ok(nodeAt(outline, path), `${path.join(".")} of\n${text}`);
      const entry = nodeAt(outline, path)?.entry;
      if (entry && path.length > 0) assert.doesNotThrow(() => setKey(text, path, "fresh"), text);
    }
  }
});

Deno.test("mutated documents: whatever the parser still accepts has all its places", () => {
  const roll = dice(11);
  const letters = "[]{}\"'#=.,\\n\\ \tax1é".replaceAll("\\n", "\n");
  let accepted = 0;
  for (let round = 0; round < 3000; round++) {
    let text = DOCUMENT;
    for (let change = roll(3); change >= 0; change--) {
      const at = roll(text.length);
      text = text.slice(0, at) + (roll(2) ? letters[roll(letters.length)] : "") + text.slice(at + roll(3));
    }
    let document: unknown;
    try {
      document = parse(text);
    } catch {
      continue;
    }
    accepted++;
    const outline = outlineToml(text);
    for (const path of paths(document)) assert.ok(nodeAt(outline, path), `${path.join(".")} of\n${text}`);
  }
  assert.ok(accepted > 300, `${accepted}`);
});
