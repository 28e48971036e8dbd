import assert from "node:assert/strict";
import { parse } from "smol-toml";
import { removeKey, setKey } from "./toml_edit.ts";
import type { EditValue } from "./toml_render.ts";

const AGENT = `# My clerk
apiVersion = "handler.agent/v1"   # do not touch
project  = "books"

services = { ocr = "ocr-local" } # which engine
egress = [
  "a.example:443", # one
  "b.example:443", # two
]

# secrets of the clerk
[env]
LANG = "de_CH"  # Swiss
`;

Deno.test("a value is replaced in place and its comment stays", () => {
  const edited = setKey(AGENT, ["project"], "letters");
  assert.equal(edited, AGENT.replace('"books"', '"letters"'));
});

Deno.test("a key of an inline table is replaced in place", () => {
  const edited = setKey(AGENT, ["services", "ocr"], ["ocr-mistral", "ocr-local"]);
  assert.equal(edited, AGENT.replace('{ ocr = "ocr-local" }', '{ ocr = ["ocr-mistral", "ocr-local"] }'));
});

Deno.test("a key is added to an inline table", () => {
  const edited = setKey(AGENT, ["services", "llm"], "small");
  assert.equal(edited, AGENT.replace('"ocr-local" }', '"ocr-local", llm = "small" }'));
});

Deno.test("a key is added after the last one of its table", () => {
  assert.equal(setKey(AGENT, ["env", "TZ"], "UTC"), AGENT + 'TZ = "UTC"\n');
  const edited = setKey(AGENT, ["model"], "m");
  assert.equal(edited, AGENT.replace("# two\n]\n", '# two\n]\nmodel = "m"\n'));
});

const SETS: readonly (readonly [string, string, readonly (string | number)[], EditValue, string])[] = [
  ["an empty file", "", ["a"], 1, "a = 1\n"],
  ["a file without a last line end", "a = 1", ["b"], true, "a = 1\nb = true\n"],
  ["only a comment", "# hi", ["a"], 1, "# hi\na = 1\n"],
  ["a comment and a header", "# hi\n\n[t]\nx = 1\n", ["a"], 1, "# hi\na = 1\n\n[t]\nx = 1\n"],
  ["a header's own comment", "# of t\n[t]\nx = 1\n", ["a"], 1, "a = 1\n\n# of t\n[t]\nx = 1\n"],
  ["a byte order mark", "\ufeff[t]\nx = 1\n", ["a"], 1, "\ufeffa = 1\n\n[t]\nx = 1\n"],
  [
    "lines that end in CRLF",
    "a = 1\r\n[t]\r\nx = 1\r\n",
    ["t", "y"],
    2,
    "a = 1\r\n[t]\r\nx = 1\r\ny = 2\r\n",
  ],
  ["a table that is not there", "a = 1\n", ["services", "ocr"], "x", 'a = 1\nservices = { ocr = "x" }\n'],
  ["dotted keys", 's.ocr = "x" # c\n[t]\n', ["s", "llm"], "y", 's.ocr = "x" # c\ns.llm = "y"\n[t]\n'],
  ["dotted keys inside a table", "i = { a.b = 1 }\n", ["i", "a", "c"], 2, "i = { a.b = 1, a.c = 2 }\n"],
  ["an empty inline table", "i = {}\n", ["i", "k"], "v", 'i = { k = "v" }\n'],
  ["an inline table with a comma at its end", "i = { a = 1, }\n", ["i", "b"], 2, "i = { a = 1, b = 2, }\n"],
  [
    "an inline table over many lines",
    "i = {\n  a = 1, # one\n  b = 2 # two\n}\n",
    ["i", "c"],
    3,
    "i = {\n  a = 1, # one\n  b = 2,\n  c = 3 # two\n}\n",
  ],
  ["an empty table", "[a]\n# nothing yet\n[b]\n", ["a", "x"], 1, "[a]\nx = 1\n# nothing yet\n[b]\n"],
  ["an indented table", "[a]\n  x = 1\n", ["a", "y"], 2, "[a]\n  x = 1\n  y = 2\n"],
  ["a table that only sub-tables made", "[a.b]\nx = 1\n", ["a", "y"], 2, "[a.b]\nx = 1\n\n[a]\ny = 2\n"],
  [
    "the second of an array of tables",
    "[[c]]\nn = 1\n[[c]]\nn = 2\n",
    ["c", 1, "m"],
    3,
    "[[c]]\nn = 1\n[[c]]\nn = 2\nm = 3\n",
  ],
  ["an element of an array", 'a = ["x", "y"]\n', ["a", 1], "z", 'a = ["x", "z"]\n'],
  ["a quoted key", '"a b" = 1\n', ["ö.x"], 2, '"a b" = 1\n"ö.x" = 2\n'],
  ["a text over many lines", 'a = """\n[b]\nx = 1 # no\n"""# yes\n', ["a"], "short", 'a = "short"# yes\n'],
  ["a key after such a text", "a = '''\n# '' x = 1\n''''\n", ["x"], 2, "a = '''\n# '' x = 1\n''''\nx = 2\n"],
  ["a date with a blank in it", "d = 1979-05-27 07:32:00 # when\n", ["d"], 1.5, "d = 1.5 # when\n"],
  ["a table for a value", "s = 1 # c\n", ["s"], { a: "b", c: ["d"] }, 's = { a = "b", c = ["d"] } # c\n'],
  [
    "a whole table with lines",
    "[s]\n# first\na = 1 # one\nb = 2\n",
    ["s"],
    { a: 3, c: 4 },
    "[s]\n# first\na = 3 # one\nc = 4\n",
  ],
  ["texts that need escapes", "", ["a"], 'q"\\\n\u007f\u0000', 'a = "q\\"\\\\\\n\\u007f\\u0000"\n'],
  ["other scripts", "'имя' = 'x' # да\n", ["имя"], "日本語 🌊", "'имя' = \"日本語 🌊\" # да\n"],
];

for (const [what, before, path, value, after] of SETS) {
  Deno.test(`setKey: ${what}`, () => assert.equal(setKey(before, path, value), after));
}

const REMOVALS: readonly (readonly [string, string, readonly (string | number)[], string])[] = [
  ["a line with its comment", "a = 1\nb = 2 # two\nc = 3\n", ["b"], "a = 1\nc = 3\n"],
  ["the comment above stays", "# about b\nb = 2\n", ["b"], "# about b\n"],
  ["the last line without an end", "a = 1\nb = 2", ["b"], "a = 1\n"],
  ["the first of an inline table", "i = { a = 1, b = 2 }\n", ["i", "a"], "i = { b = 2 }\n"],
  ["the last of an inline table", "i = { a = 1, b = 2 }\n", ["i", "b"], "i = { a = 1 }\n"],
  ["the only one of an inline table", "i = { a = 1 }\n", ["i", "a"], "i = {}\n"],
  ["an array's element", 'a = ["x", "y", "z"]\n', ["a", 1], 'a = ["x", "z"]\n'],
  ["a dotted key", "s.a = 1\ns.b = 2\n", ["s", "a"], "s.b = 2\n"],
  ["the only dotted key", "s.a = 1\nt = 2\n", ["s", "a"], "t = 2\n"],
  ["a table of dotted keys", "s.a = 1\nt = 2\ns.b = 3\n", ["s"], "t = 2\n"],
  [
    "a table of dotted keys inside another",
    "i = { x = 1, s.a = 1, s.b = 2 }\n",
    ["i", "s"],
    "i = { x = 1 }\n",
  ],
  [
    "a table with its header",
    "a = 1\n\n[t]\n# in t\nx = 1\ny = 2\n\n[u]\nz = 1\n",
    ["t"],
    "a = 1\n\n[u]\nz = 1\n",
  ],
  ["a table and its sub-tables", "[t.s]\nx = 1\n[u]\nz = 1\n[t]\ny = 2\n", ["t"], "[u]\nz = 1\n"],
  ["a table and what its dotted keys hold", "[t]\na.b = 1\n[t.a.c]\nx = 1\n[u]\n", ["t"], "[u]\n"],
  ["one of an array of tables", "[[c]]\nn = 1\nm = 2\n[[c]]\nn = 3\n", ["c", 0], "[[c]]\nn = 3\n"],
  ["all of an array of tables", "[[c]]\nn = 1\n[[c]]\nn = 3\n[d]\n", ["c"], "[d]\n"],
  ["a key that is not there", "a = 1\n", ["b", "c"], "a = 1\n"],
  ["a line that ends in CRLF", "a = 1\r\nb = 2\r\n", ["a"], "b = 2\r\n"],
];

for (const [what, before, path, after] of REMOVALS) {
  Deno.test(`removeKey: ${what}`, () => assert.equal(removeKey(before, path), after));
}

Deno.test("what cannot be set leaves an error and the text alone", () => {
  assert.throws(() => setKey("a = 1\n", ["a", "b"], 1), { kind: "conflict" });
  assert.throws(() => setKey("[[a]]\nx = 1\n", ["a", "b"], 1), { kind: "conflict" });
  assert.throws(() => setKey("a = [1]\n", ["a", 3], 1), { kind: "conflict" });
  assert.throws(() => setKey("a = \n", ["a"], 1), { kind: "invalid" });
  assert.throws(() => setKey("", ["a"], "\ud800"), { kind: "usage" });
});

Deno.test("many edits in a row keep every other value", () => {
  let text = AGENT;
  const expected = JSON.parse(JSON.stringify(parse(AGENT)));
  for (let at = 0; at < 200; at++) {
    const key = `k${at % 17}`;
    const table = ["env", "services", "fresh"][at % 3] as string;
    if (at % 5 === 4) {
      text = removeKey(text, [table, key]);
      delete expected[table]?.[key];
    } else {
      text = setKey(text, [table, key], `v${at}`);
      (expected[table] ??= {})[key] = `v${at}`;
    }
  }
  assert.deepEqual(JSON.parse(JSON.stringify(parse(text))), expected);
  for (const comment of ["# My clerk", "# do not touch", "# which engine", "# one", "# two", "# Swiss"]) {
    assert.ok(text.includes(comment), comment);
  }
});
