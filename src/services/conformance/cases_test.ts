import assert from "node:assert/strict";
import { fromFileUrl, shippedFolder } from "../../platform/mod.ts";
import { loadInterfaces } from "../interfaces.ts";
import { loadCases, readCases } from "./cases.ts";

const { interfaces } = await loadInterfaces({
  shippedFolder: shippedFolder("interfaces"),
  userFolder: fromFileUrl(new URL("../../../tests/fixtures/interfaces", import.meta.url)),
});
const WORDS = interfaces.get("words/v1")!;

/** The problems of a `cases.toml` that has one case with this `expect` besides what is needed. */
async function problemsOf(lines: string): Promise<string[]> {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/conformance`);
  await Deno.writeTextFile(`${folder}/conformance/three.txt`, "one two three\n");
  const excuses = ["not_text", "too_large", "unavailable"]
    .map((error) => `[[unprovoked]]\nerror = "${error}"\nwhy = "not here"\n`).join("");
  const head = '[[case]]\nname = "one"\ntool = "words_count"\ninput = { path = "three.txt" }\n';
  await Deno.writeTextFile(`${folder}/conformance/cases.toml`, `${head}${lines}\n${excuses}`);
  const { problems } = await readCases({ ...WORDS, folder });
  return problems.map(({ where, message }) => `${where?.line}:${where?.key}: ${message}`);
}

Deno.test("the cases of ocr/v1 say what the seed's cases say", async () => {
  const { cases } = await loadCases(interfaces.get("ocr/v1")!);
  assert.deepEqual(cases.find(({ name }) => name === "invoice text"), {
    name: "invoice text",
    tool: "ocr_extract",
    input: { path: "invoice.pdf" },
    generate: undefined,
    expect: {
      kind: "result",
      rules: [
        { path: ["pages"], rule: "minItems", value: 1 },
        { path: [], rule: "contains", value: ["INV-2024-0042", "Total"] },
      ],
    },
  });
  assert.deepEqual(cases.find(({ name }) => name === "rejects a zip")?.expect, {
    kind: "error",
    code: "unsupported_format",
  });
});

Deno.test("apiVersion may stand in the file, of this kind alone", async () => {
  assert.deepEqual(await problemsOf("expect.words.minItems = 1"), []);
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/conformance`);
  await Deno.writeTextFile(`${folder}/conformance/cases.toml`, 'apiVersion = "handler.interface/v1"\n');
  const { problems } = await readCases({ ...WORDS, folder });
  assert.match(problems.join("\n"), /apiVersion: must be one of "handler.conformance\/v1"/);
});

for (
  const [lines, found] of [
    [
      "expect.words.minItem = 1",
      "5:case[0].expect.words.minItem: must be a table with further steps, or one of the rules",
    ],
    ["expect.words.minItems = -1", "5:case[0].expect.words.minItems: must be an integer from 0"],
    ['expect.words.contains = ""', "5:case[0].expect.words.contains: must be "],
    ['expect.words.matches = "("', "5:case[0].expect.words.matches: must be a regular expression"],
    ['expect.words.matches = "^(a+)+$"', "5:case[0].expect.words.matches: "],
    [
      'expect.words.error = "not_text"',
      "5:case[0].expect.words.error: an error is expected of the whole call",
    ],
    ['expect.output.mediaType = "wav"', "5:case[0].expect.output.mediaType: must be a media type"],
    ["expect = {}", "5:case[0].expect: must hold at least one rule"],
    ['expect = { error = "not_text", contains = "x" }', "5:case[0].expect: an expected error stands alone"],
    ["", "1:case[0].expect: is missing"],
    [
      'expect.contains = "x"\ngenerate = { path = "three.txt", bytes = 1 }',
      "6:case[0].generate.path: must not be a fixture's name",
    ],
    [
      'expect.contains = "x"\ngenerate = { path = "../x", bytes = 1 }',
      "6:case[0].generate.path: must be a relative path",
    ],
  ] as const
) {
  Deno.test(`cases.toml: ${lines || "no expectation"}`, async () => {
    const problems = await problemsOf(lines);
    assert.ok(problems.some((problem) => problem.startsWith(found)), `${problems.join("\n")}\nnot ${found}`);
  });
}
