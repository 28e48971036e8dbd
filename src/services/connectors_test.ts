import assert from "node:assert/strict";
import { fromFileUrl, shippedFolder } from "../platform/mod.ts";
import { loadConnectors, readConnector, refuseChanged } from "./connectors.ts";
import { loadInterfaces } from "./interfaces.ts";

const { interfaces } = await loadInterfaces({
  shippedFolder: shippedFolder("interfaces"),
  userFolder: fromFileUrl(new URL("../../tests/fixtures/interfaces", import.meta.url)),
});

const SOUND = `apiVersion = "handler.connector/v1"
name = "words-web"
description = "Words on the web"
implements = ["words/v1"]
egress = ["words.example.com:443"]

[secretSlots.api_key]
env = "WORDS_KEY"
required = true

[settings.server]
env = "WORDS_URL"
type = "url"
default = "https://words.example.com"
`;

async function folderWith(manifest: string, name = "words-web"): Promise<string> {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/${name}`);
  await Deno.writeTextFile(`${folder}/${name}/connector.toml`, manifest);
  await Deno.writeTextFile(`${folder}/${name}/main.ts`, "");
  return folder;
}

async function load(manifest: string, name?: string) {
  const folder = await folderWith(manifest, name);
  const { connectors, problems } = await loadConnectors({
    shippedFolder: folder,
    userFolder: undefined,
    interfaces,
  });
  return {
    connectors,
    texts: problems.map(({ where, message }) => `${where?.line}:${where?.key}: ${message}`),
  };
}

Deno.test("the shipped connectors are sound and implement what is there", async () => {
  const { connectors, problems } = await loadConnectors({
    shippedFolder: shippedFolder("connectors"),
    userFolder: undefined,
    interfaces,
  });
  assert.deepEqual(problems.map(String), []);
  assert.ok(connectors.size >= 4);
});

Deno.test("a sound manifest is read with every default", async () => {
  const { connectors, texts } = await load(SOUND);
  assert.deepEqual(texts, []);
  const { folder: _, hash, ...connector } = connectors.get("words-web")!;
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.deepEqual(connector, {
    name: "words-web",
    description: "Words on the web",
    implements: ["words/v1"],
    egress: ["words.example.com:443"],
    secretSlots: { api_key: { env: "WORDS_KEY", required: true, description: "" } },
    settings: {
      server: {
        env: "WORDS_URL",
        required: false,
        description: "",
        type: "url",
        default: "https://words.example.com",
      },
    },
    runtime: { kind: "deno", entry: "main.ts" },
    resources: { memoryBytes: 512 * 2 ** 20, pids: 256, cpus: undefined },
    tools: {},
    origin: "shipped",
  });
});

const runtimes: readonly (readonly [toml: string, runtime: unknown])[] = [
  ['entry = "src/serve.ts"', undefined],
  ['kind = "image"\nimage = "localhost/words:1"\nargv = ["/serve"]', {
    kind: "image",
    image: "localhost/words:1",
    argv: ["/serve"],
  }],
  ['image = "localhost/words:1"', { kind: "image", image: "localhost/words:1", argv: [] }],
];

for (const [toml, runtime] of runtimes) {
  Deno.test(`runtime ${toml.replaceAll("\n", ", ")}`, async () => {
    const { connectors, texts } = await load(`${SOUND}[runtime]\n${toml}\n`);
    assert.deepEqual(connectors.get("words-web")?.runtime, runtime);
    assert.deepEqual(
      texts,
      runtime ? [] : ["16:runtime.entry: must be a file of the connector's folder"],
    );
  });
}

Deno.test("an MCP server is wrapped with a mapping for each tool", async () => {
  const wrapped = `${SOUND}[runtime]
command = ["npx", "words-mcp"]
[tools.words_count]
tool = "count"
arguments = { path = "content" }
files = "text"
result = { words = "/items" }
`;
  const { connectors, texts } = await load(wrapped);
  assert.deepEqual(texts, ["17:tools.words_list: is missing: words/v1 has this tool"]);
  assert.equal(connectors.size, 0);
  const whole = await load(`${wrapped}[tools.words_list]\ntool = "list"\n`);
  assert.deepEqual(whole.texts, []);
  assert.deepEqual(whole.connectors.get("words-web")?.tools["words_count"], {
    tool: "count",
    arguments: { path: "content" },
    files: "text",
    result: { words: "/items" },
  });
});

const ROWS: readonly (readonly [what: string, from: string, to: string, found: string[]])[] = [
  ["another name than its folder's", '"words-web"', '"words"', [
    "2:name: must be the name of its folder, words-web, found words",
  ]],
  ["an interface that is not there", '["words/v1"]', '["word/v1"]', [
    "4:implements[0]: must be an interface that is there, found word/v1",
  ]],
  ["a key of another time", "required = true", "require = true", [
    "9:secretSlots.api_key.require: unknown key",
  ]],
  ["Handler's own variable", '"WORDS_KEY"', '"HANDLER_EGRESS"', [
    "8:secretSlots.api_key.env: must not be a variable that Handler or the runtime sets, found HANDLER_EGRESS",
  ]],
  ["no variable's name", '"WORDS_KEY"', '"1WORDS"', [
    "8:secretSlots.api_key.env: must be an environment variable's name",
  ]],
  ["one variable for two", '"WORDS_URL"', '"WORDS_KEY"', [
    "12:settings.server.env: must be a variable of its own, WORDS_KEY is secretSlots.api_key's",
  ]],
  ["a default that is no URL", '"https://words.example.com"', '"words.example.com"', [
    '14:settings.server.default: the setting must be an http or https URL, found "words.example.com"',
  ]],
  ["egress without a port", '"words.example.com:443"', '"words.example.com"', [
    "5:egress[0]: must be a host",
  ]],
  ["a wildcard in the middle", '"words.example.com:443"', '"a.*.example.com:443"', [
    "5:egress[0]: must be a host",
  ]],
  ["a wildcard over a whole ending", '"words.example.com:443"', '"*.com:443"', ["5:egress[0]: "]],
  ["an address in disguise", '"words.example.com:443"', '"127.1:443"', ["5:egress[0]: egress is host:port"]],
];

for (const [what, from, to, found] of ROWS) {
  Deno.test(`manifest: ${what}`, async () => {
    const { connectors, texts } = await load(SOUND.replace(from, to));
    assert.equal(texts.length, found.length, texts.join("\n"));
    texts.forEach((text, index) => assert.ok(text.startsWith(found[index]!), `${text}\nnot ${found[index]}`));
    assert.equal(connectors.size, found[0]?.includes("implements") ? 1 : 0);
  });
}

for (
  const [what, toml, found] of [
    ["two ways to run", 'image = "x"\ncommand = ["y"]', "runtime: must have exactly one of"],
    ["argv without an image", 'entry = "main.ts"\nargv = ["y"]', "runtime.argv: goes with image alone"],
    [
      "a kind that does not fit",
      'kind = "image"',
      "runtime.kind: must fit the key beside it: deno, found image",
    ],
    [
      "a URL setting that is not there",
      'urlSetting = "url"',
      "runtime.urlSetting: must name a setting of type",
    ],
    ["a program outside the folder", 'entry = "../other/main.ts"', "runtime.entry: must be a relative path"],
  ] as const
) {
  Deno.test(`runtime: ${what}`, async () => {
    const { texts } = await load(`${SOUND}[runtime]\n${toml}\n`);
    assert.ok(texts.some((text) => text.includes(found)), texts.join("\n"));
  });
}

Deno.test("tools are mapped only where a server is wrapped", async () => {
  const { texts } = await load(`${SOUND}[tools.words_count]\ntool = "count"\n`);
  assert.equal(texts.length, 1);
  assert.match(texts[0]!, /tools are mapped only where an MCP server is wrapped/);
});

Deno.test("installed packages do not count for the hash, code does; one bad connector leaves the others", async () => {
  const folder = await folderWith(SOUND);
  const sources = { shippedFolder: folder, userFolder: undefined, interfaces };
  const hash = async () => (await loadConnectors(sources)).connectors.get("words-web")!.hash;
  const before = await hash();
  await Deno.mkdir(`${folder}/words-web/node_modules/x`, { recursive: true });
  await Deno.writeTextFile(`${folder}/words-web/node_modules/x/index.js`, "");
  assert.equal(await hash(), before);
  await Deno.writeTextFile(`${folder}/words-web/main.ts`, "// changed");
  assert.notEqual(await hash(), before);
  await Deno.mkdir(`${folder}/broken`);
  const set = await loadConnectors(sources);
  assert.deepEqual([...set.connectors.keys()], ["words-web"]);
  assert.match(
    String(set.problems[0]),
    /broken\/connector\.toml: a connector's folder holds a file connector\.toml/,
  );
});

Deno.test("the person's own connector does not take a shipped one's name", async () => {
  const [shipped, own] = [await folderWith(SOUND), await folderWith(SOUND)];
  const set = await loadConnectors({ shippedFolder: shipped, userFolder: own, interfaces });
  assert.equal(set.connectors.get("words-web")?.origin, "shipped");
  assert.match(set.problems[0]!.message, /a connector of the name words-web ships with Handler/);
});

Deno.test("a connector of the person's own whose files changed since they were read does not start", async () => {
  const folder = `${await folderWith(SOUND)}/words-web`;
  const read = async (origin: "user" | "shipped") =>
    (await readConnector(folder, origin, interfaces)).connector!;
  const [own, shipped] = [await read("user"), await read("shipped")];
  await refuseChanged(own);
  await Deno.writeTextFile(`${folder}/main.ts`, "// other code");
  await assert.rejects(refuseChanged(own), {
    kind: "denied",
    hint: "look at it again: handler trust words-web",
  });
  await refuseChanged(shipped);
});
