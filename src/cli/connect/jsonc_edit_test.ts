import assert from "node:assert/strict";
import { HandlerError } from "../../base/mod.ts";
import { membersOf, removeMember, setMember } from "./jsonc_edit.ts";

const ENTRY = { command: "/bin/x", args: ["a"] };

function set(text: string, root = "mcpServers", name = "ours"): string {
  return setMember(text, "settings.json", root, name, ENTRY);
}

function remove(text: string, root = "mcpServers", name = "ours"): string {
  return removeMember(text, "settings.json", root, name);
}

/** What every text must do: take the entry in, take it again without a change, give it up again. */
function goesRound(text: string, expected: string): void {
  const after = set(text);
  assert.equal(after, expected);
  assert.equal(set(after), after);
  assert.deepEqual(membersOf(after, "f", "mcpServers").ours, ENTRY);
  assert.ok(!Object.hasOwn(membersOf(remove(after), "f", "mcpServers"), "ours"));
}

Deno.test("an empty file becomes one with the entry", () => {
  const whole = `{
  "mcpServers": {
    "ours": {
      "command": "/bin/x",
      "args": [
        "a"
      ]
    }
  }
}
`;
  goesRound("", whole);
  goesRound(" \n", whole);
  goesRound("{}", whole.trimEnd());
});

Deno.test("comments, order, commas and indentation of others stay", () => {
  goesRound(
    `{
    // mine
    "theme": "dark",
    "mcpServers": {
        "a": { "command": "x" }, // keep me here
    },
    /* the end */
}
`,
    `{
    // mine
    "theme": "dark",
    "mcpServers": {
        "a": { "command": "x" }, // keep me here
        "ours": {
            "command": "/bin/x",
            "args": [
                "a"
            ]
        },
    },
    /* the end */
}
`,
  );
});

Deno.test("a member without a comma gets one, its comment stays with it", () => {
  goesRound(
    '{\n\t"mcpServers": {\n\t\t"a": 1 // keep, me\n\t}\n}\n',
    '{\n\t"mcpServers": {\n\t\t"a": 1, // keep, me\n\t\t"ours": {\n\t\t\t"command": "/bin/x",\n\t\t\t"args": [\n\t\t\t\t"a"\n\t\t\t]\n\t\t}\n\t}\n}\n',
  );
});

Deno.test("an object on one line stays on one line", () => {
  goesRound(
    '{"mcpServers":{"a":{"command":"x"}},"b":1}',
    '{"mcpServers":{"a":{"command":"x"}, "ours": {"command":"/bin/x","args":["a"]}},"b":1}',
  );
});

Deno.test("line ends stay what they were", () => {
  const after = set('{\r\n  "mcpServers": {\r\n    "a": 1\r\n  }\r\n}\r\n');
  assert.ok(!/[^\r]\n/.test(after));
});

Deno.test("an empty object with a comment keeps it", () => {
  assert.match(set('{\n  "mcpServers": {\n    // none yet\n  }\n}\n'), /\/\/ none yet\n {4}"ours"/);
});

Deno.test("taking out restores the text as it was", () => {
  const texts = [
    '{\n  "mcpServers": {\n    "a": 1, // one\n    "b": 2, // two\n  },\n}\n',
    '{"mcpServers":{"a":1}}',
    '{\n  "x": 1,\n  "mcpServers": {\n    "a": { "command": "," }, /* , */\n  }\n}\n',
  ];
  for (const text of texts) {
    assert.equal(remove(set(text)), text);
  }
});

Deno.test("the first, the middle and the last can be taken out", () => {
  const text = '{\n  "mcpServers": {\n    "a": 1,\n    "b": 2,\n    "c": 3\n  }\n}\n';
  assert.equal(remove(text, "mcpServers", "a"), '{\n  "mcpServers": {\n    "b": 2,\n    "c": 3\n  }\n}\n');
  assert.equal(remove(text, "mcpServers", "b"), '{\n  "mcpServers": {\n    "a": 1,\n    "c": 3\n  }\n}\n');
  assert.equal(remove(text, "mcpServers", "c"), '{\n  "mcpServers": {\n    "a": 1,\n    "b": 2\n  }\n}\n');
  assert.equal(remove(text, "mcpServers", "none"), text);
  assert.equal(remove("", "mcpServers", "a"), "");
});

Deno.test("what cannot be read is refused with its place", () => {
  const broken = [
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ['{\n  "mcpServers": [\n  ]\n}', 2],
    ["[1]", 1],
    ['{ "mcpServers": {}, "mcpServers": {} }', 1],
    ['{ "mcpServers": { "ours": 1,\n "ours": 2 } }', 2],
    ['{ "a": ', 1],
  ] as const;
  for (const [text, line] of broken) {
    assert.throws(() => set(text), (error: HandlerError) => {
      assert.equal(error.kind, "invalid");
      assert.equal(error.where?.file, "settings.json");
      assert.equal(error.where?.line, line, text);
      return true;
    }, text);
  }
});

Deno.test("names with quotes, and __proto__, are only names", () => {
  const after = setMember("{}", "f", "mcpServers", 'a"b', ENTRY);
  assert.deepEqual(Object.keys(membersOf(after, "f", "mcpServers")), ['a"b']);
});

Deno.test("many ways to write a file, each changed without harm", () => {
  const parts = ['"a": 1', '"b": {"c": [1, 2]}', '"d": "x, // y }"'];
  const gaps = ["", " ", "\n", "\n  ", " // c\n  ", " /* , */ "];
  for (const gap of gaps) {
    for (const last of ["", ",", ", // t\n"]) {
      for (let count = 0; count <= parts.length; count++) {
        const members = parts.slice(0, count).join("," + gap) + (count > 0 ? last : "");
        const text = `{${gap}"mcpServers": {${gap}${members}${gap}},${gap}"z": true${gap}}`;
        const before = membersOf(text, "f", "mcpServers");
        const after = set(text);
        assert.deepEqual(membersOf(after, "f", "mcpServers"), { ...before, ours: ENTRY }, text);
        assert.deepEqual(membersOf(remove(after), "f", "mcpServers"), before, text);
        const comments = (one: string) => one.split(/\/\/ [ct]|\/\* , \*\//).length;
        assert.equal(comments(after), comments(text), text);
      }
    }
  }
});
