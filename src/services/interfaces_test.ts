import assert from "node:assert/strict";
import { fromFileUrl, shippedFolder } from "../platform/mod.ts";
import { lintInterface, loadInterfaces } from "./interfaces.ts";
import { freezeProblems, publish, readPublished } from "./interfaces/published.ts";
import { readSound } from "./interfaces/sound.ts";

const WORDS = fromFileUrl(new URL("../../tests/fixtures/interfaces/words/v1", import.meta.url));

/** A copy of the sound interface `words/v1` with one change made to it. */
async function changed(path: string, change: (text: string) => string | undefined): Promise<string> {
  const folder = `${await Deno.makeTempDir()}/words/v1`;
  await copyTree(WORDS, folder);
  const before = await Deno.readTextFile(`${folder}/${path}`).catch(() => "");
  const after = change(before);
  if (after === undefined) await Deno.remove(`${folder}/${path}`);
  else {
    assert.notEqual(after, before, "the change of the test changes nothing");
    await Deno.writeTextFile(`${folder}/${path}`, after);
  }
  return folder;
}

async function copyTree(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyTree(`${from}/${name}`, `${to}/${name}`);
    else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}

const swap = (from: string, to: string) => (text: string) => text.replace(from, to);

/** Problems as `line:key: message`, the folder left out. */
async function lint(path: string, change: (text: string) => string | undefined): Promise<string[]> {
  const folder = await changed(path, change);
  return (await lintInterface(folder)).map(({ where, message }) => {
    const file = where?.file?.replace(`${folder}/`, "");
    return [file, where?.line, where?.key].filter((part) => part !== undefined).join(":") + ": " + message;
  });
}

Deno.test("the shipped interfaces are sound, published, and frozen", async () => {
  const shipped = shippedFolder("interfaces");
  const { interfaces, problems } = await loadInterfaces({ shippedFolder: shipped, userFolder: undefined });
  assert.deepEqual(problems.map(String), []);
  assert.deepEqual([...interfaces.keys()], ["llm/v1", "ocr/v1"]);
  for (const { folder } of interfaces.values()) {
    assert.deepEqual((await lintInterface(folder)).map(String), []);
  }
  const frozen = freezeProblems(await readPublished(shipped), interfaces.values(), { all: true });
  assert.deepEqual(frozen.map(String), []);
});

Deno.test("tools.json is kept byte for byte, and what is loaded is frozen", async () => {
  const folder = WORDS.replace(/\/words\/v1$/, "");
  const { interfaces } = await loadInterfaces({ shippedFolder: folder, userFolder: undefined });
  const words = interfaces.get("words/v1")!;
  assert.equal(words.toolsText, await Deno.readTextFile(`${WORDS}/tools.json`));
  assert.equal(words.limits.timeoutSeconds, 2);
  assert.equal(words.limits.maxConcurrent, 4);
  assert.throws(() => (words.tools[0] as { name: string }).name = "x", TypeError);
});

Deno.test("a published version is read the same without linting", async () => {
  const folder = (await changed("conformance/three.txt", () => "one two three four\n")).replace(
    /\/words\/v1$/,
    "",
  );
  const sources = { shippedFolder: folder, userFolder: undefined };
  const linted = (await loadInterfaces(sources)).interfaces.get("words/v1")!;
  await publish(folder, linted);
  assert.deepEqual((await loadInterfaces(sources)).interfaces.get("words/v1"), linted);
});

Deno.test("what this program found sound is linted again only once it or the program is another", async () => {
  const userFolder = (await changed("conformance/three.txt", () => "one two three four\n")).replace(
    /\/words\/v1$/,
    "",
  );
  const sources = { shippedFolder: shippedFolder("interfaces"), userFolder };
  const kept = { file: `${await Deno.makeTempDir()}/sound.json`, program: "1.0.0" };
  const linted = (await loadInterfaces(sources, kept)).interfaces.get("words/v1")!;
  assert.deepEqual(await readSound(kept), new Map([["words/v1", linted.hash]]));
  assert.deepEqual((await loadInterfaces(sources, kept)).interfaces.get("words/v1"), linted);
  assert.deepEqual(await readSound({ ...kept, program: "1.0.1" }), new Map());

  const tools = `${linted.folder}/tools.json`;
  await Deno.writeTextFile(tools, linted.toolsText.replaceAll("words_count", "count_words"));
  const worse = await loadInterfaces(sources, kept);
  assert.equal(worse.interfaces.has("words/v1"), false);
  assert.match(String(worse.problems[0]), /must be "words_"/);
  assert.deepEqual(await readSound(kept), new Map());

  await Deno.writeTextFile(tools, linted.toolsText);
  await Deno.writeTextFile(kept.file, '{"program": "1.0.0", "versions": {"words/v1": 7');
  assert.deepEqual((await loadInterfaces(sources, kept)).interfaces.get("words/v1"), linted);
  assert.deepEqual(await readSound(kept), new Map([["words/v1", linted.hash]]));
});

Deno.test("one bad interface leaves the others usable; a shipped id is not taken over", async () => {
  const userFolder = (await changed("tools.json", swap("words_count", "count_words"))).replace(
    /\/words\/v1$/,
    "",
  );
  await copyTree(shippedFolder("interfaces/llm"), `${userFolder}/llm`);
  const set = await loadInterfaces({ shippedFolder: shippedFolder("interfaces"), userFolder });
  assert.deepEqual([...set.interfaces.keys()], ["llm/v1", "ocr/v1"]);
  assert.deepEqual(set.problems.map(({ message }) => message.slice(0, 34)), [
    "an interface llm/v1 ships with Han",
    'must be "words_" and then words of',
  ]);
});

Deno.test("folders that are no versions are told", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/ocr/version1`, { recursive: true });
  await Deno.mkdir(`${folder}/Bad Name/v1`, { recursive: true });
  await Deno.mkdir(`${folder}/empty`);
  const { problems } = await loadInterfaces({ shippedFolder: folder, userFolder: undefined });
  const rule = problems.filter(({ message }) =>
    message === "an interface's versions lie in folders <name>/v<N>"
  );
  assert.deepEqual(rule.map(({ where }) => where?.file?.slice(folder.length + 1)), [
    "Bad Name",
    "empty",
    "ocr/version1",
  ]);
});

type Row = readonly [
  what: string,
  path: string,
  change: (text: string) => string | undefined,
  found: string[],
];

const ROWS: readonly Row[] = [
  ["a name that is not the folder's", "interface.toml", swap('"words"', '"word"'), [
    "interface.toml:2:name: must be the name of its folder, words, found word",
    "skills/words/SKILL.md: an interface's folder holds no other files, found this file",
    'tools.json:2:[0].name: must be "word_" and then words of a-z, 0-9 and \'_\', found "words_count"',
    'tools.json:18:[1].name: must be "word_" and then words of a-z, 0-9 and \'_\', found "words_list"',
    "skills/word/SKILL.md: an interface has the file skills/word/SKILL.md",
  ]],
  ["a version that is not the folder's", "interface.toml", swap("version = 1", "version = 2"), [
    "interface.toml:3:version: must be the version of its folder, v1, found 2",
  ]],
  ["no unavailable", "interface.toml", swap("unavailable =", "out_of_order ="), [
    "interface.toml:10:errors: must declare unavailable: any service can be down",
    "skills/words/SKILL.md:1: must say what to do on the error `out_of_order`, in backticks",
    "skills/words/SKILL.md:14: explains the error `unavailable`, which the interface does not declare",
    "conformance/cases.toml:36:unprovoked[0].error: must be an error that the interface declares, found unavailable",
    "conformance/cases.toml:1: the declared error out_of_order is neither provoked by a case nor excused",
  ]],
  ["a platform code declared", "interface.toml", (text) => text + 'limit = "too many"\n', [
    "interface.toml:14:errors.limit: must not be declared: limit is the platform's own and may always come",
    "skills/words/SKILL.md:1: must say what to do on the error `limit`, in backticks",
    "conformance/cases.toml:1: the declared error limit is neither provoked by a case nor excused",
  ]],
  ["an unknown key", "interface.toml", swap("timeoutSeconds", "timeoutSecond"), [
    "interface.toml:8:limits.timeoutSecond: unknown key",
  ]],
  [
    "progress that comes later than the end",
    "interface.toml",
    swap("[limits]\n", "[limits]\nprogressSeconds = 2\n"),
    [
      "interface.toml:7:limits.progressSeconds: must be less than timeoutSeconds, 2, which would end the call first, found 2",
    ],
  ],
  ["no tools.json", "tools.json", () => undefined, ["tools.json: an interface has the file tools.json"]],
  ["broken JSON", "tools.json", swap('},\n  "outputSchema"', '}\n  "outputSchema"'), [
    "tools.json:10: must be JSON: ",
  ]],
  ["an object in place of the array", "tools.json", () => "{}", [
    "tools.json:1: must be a JSON array of 1 to 64 tools",
  ]],
  ["a tool of another name", "tools.json", swap('"words_list"', '"list_words"'), [
    'tools.json:18:[1].name: must be "words_" and then words of a-z, 0-9 and \'_\', found "list_words"',
  ]],
  ["two tools of one name", "tools.json", swap('"words_list"', '"words_count"'), [
    "tools.json:18:[1].name: must be a name of its own, words_count stands above",
  ]],
  [
    "a vendor's key",
    "tools.json",
    swap('"name": "words_list",', '"name": "words_list", "annotations": {},'),
    [
      "tools.json:18:[1].annotations: unknown key",
    ],
  ],
  ["an empty description", "tools.json", swap("Count the words of a text file.", " "), [
    "tools.json:3:[0].description: must be a text of 1 to 1024 characters, found 0",
  ]],
  [
    "a name twice in an object",
    "tools.json",
    swap('"required": ["path"],', '"required": ["path"], "required": [],'),
    [
      "tools.json:7:[0].inputSchema.required: must stand once in its object",
    ],
  ],
  ["an open object", "tools.json", swap('"additionalProperties": false,', ""), [
    'tools.json:4:[0].inputSchema: an object must have "additionalProperties": false, found none',
  ]],
  ["an open object deep down", "tools.json", swap('{ "type": "string" }', '{ "type": "object" }'), [
    'tools.json:14:[0].outputSchema.properties.words.items: an object must have "additionalProperties": false, found none',
  ]],
  ["a format nobody knows", "tools.json", swap('"handler-file"', '"handler-fil"'), ["tools.json:8:"]],
  [
    "a reference to the network",
    "tools.json",
    swap('{ "type": "string" }', '{ "$ref": "https://example.com/x" }'),
    [
      "tools.json:14:",
    ],
  ],
  ["a zero-width space behind an escape", "tools.json", swap("Count the words", "Count\\u200b the words"), [
    "tools.json:3:[0].description: must hold no character that is not seen, found U+200B",
  ]],
  ["20,000 levels of nesting", "tools.json", () => "[".repeat(20_000) + "]".repeat(20_000), [
    "tools.json:1: must nest at most 64 levels deep, found 20000",
  ]],
  ["a right-to-left override in the skill", "skills/words/SKILL.md", swap("# Words", "# \u202eWords"), [
    "skills/words/SKILL.md:6: must hold no character that is not seen, found U+202E",
  ]],
  ["a skill that leaves an error out", "skills/words/SKILL.md", swap("- `not_text`", "- not text"), [
    "skills/words/SKILL.md:1: must say what to do on the error `not_text`, in backticks",
  ]],
  [
    "a skill that explains an error too many",
    "skills/words/SKILL.md",
    swap("- `too_large`", "- `too_small` or `too_large`"),
    [
      "skills/words/SKILL.md:13: explains the error `too_small`, which the interface does not declare",
    ],
  ],
  ["a skill that leaves a tool out", "skills/words/SKILL.md", swap("`words_list` writes", "It writes"), [
    "skills/words/SKILL.md:1: must name the tool `words_list` in backticks",
  ]],
  ["a skill of another name", "skills/words/SKILL.md", swap("name: words", "name: word"), [
    "skills/words/SKILL.md:1: the front matter's name must be words",
  ]],
  [
    "front matter that YAML reads otherwise",
    "skills/words/SKILL.md",
    swap("description: Count", "description: Note: count"),
    [
      'skills/words/SKILL.md:3: description must be a plain text without ": " and " #", beginning with a letter',
    ],
  ],
  ["a file that is no part of the contract", "NOTES.md", () => "hello", [
    "NOTES.md: an interface's folder holds no other files, found this file",
  ]],
  ["no cases", "conformance/cases.toml", () => undefined, [
    "conformance/cases.toml: an interface has conformance cases in conformance/cases.toml",
  ]],
  ["a case of another tool", "conformance/cases.toml", swap('"words_list"', '"words_lists"'), [
    "conformance/cases.toml:17:case[2].tool: must be a tool of the interface",
  ]],
  [
    "a case whose input does not fit",
    "conformance/cases.toml",
    swap('{ path = "three.txt" }', '{ file = "three.txt" }'),
    [
      "conformance/cases.toml:4:case[0].input: must fit the input schema of words_count: it must have required property 'path'",
    ],
  ],
  ["a case without its file", "conformance/cases.toml", swap('"empty.txt"', '"emty.txt"'), [
    "conformance/cases.toml:12:case[1].input.path: must be a file of the conformance folder, or generated",
  ]],
  [
    "a case that expects an error nobody knows",
    "conformance/cases.toml",
    swap('error = "not_text"', 'error = "no_text"'),
    [
      "conformance/cases.toml:26:case[3].expect.error: must be an error of the interface or the platform, found no_text",
      "conformance/cases.toml:1: the declared error not_text is neither provoked by a case nor excused",
    ],
  ],
  [
    "an excuse for what is provoked",
    "conformance/cases.toml",
    swap('error = "unavailable"', 'error = "not_text"'),
    [
      'conformance/cases.toml:36:unprovoked[0].error: not_text needs no excuse: the case "refuses what is no text" provokes it',
      "conformance/cases.toml:1: the declared error unavailable is neither provoked by a case nor excused",
    ],
  ],
];

for (const [what, path, change, found] of ROWS) {
  Deno.test(`lint: ${what}`, async () => {
    const problems = await lint(path, change);
    assert.equal(problems.length, found.length, problems.join("\n"));
    problems.forEach((problem, index) =>
      assert.ok(problem.startsWith(found[index]!), `${problem}\nnot ${found[index]}`)
    );
  });
}
