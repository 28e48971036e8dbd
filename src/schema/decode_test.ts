import assert from "node:assert/strict";
import { ProblemList } from "../base/mod.ts";
import { decodeToml, decodeTomlFile } from "./decode.ts";
import { list, map, optional, record, required } from "./kinds_compound.ts";
import { integer, name, text } from "./kinds_plain.ts";

const inner = record({ name: required(name), size: optional(integer({ min: 0, max: 9 }), 1) });
const shape = record({
  title: required(text()),
  parts: optional(list(inner), []),
  table: optional(map(text(), map(text(), text())), {}),
});

function places(source: string): readonly string[] {
  const { problems } = decodeTomlFile(source, { file: "f.toml", kind: undefined, shape });
  return problems.map(({ where, message }) =>
    `${where?.line}:${where?.column}:${where?.key}: ${message.split(",")[0]}`
  );
}

Deno.test("the type of a record follows from its shape", () => {
  const read = decodeToml('title = "t"\n[[parts]]\nname = "a"\n', { file: "f", kind: undefined, shape });
  const title: string = read.title;
  const sizes: readonly number[] = read.parts.map((part) => part.size);
  assert.deepEqual([title, sizes], ["t", [1]]);
  assert.ok(Object.isFrozen(read.parts[0]));
});

Deno.test("problems stand where the key stands, in every way that TOML writes one", () => {
  assert.deepEqual(
    places(`title = """
parts = "not me"
"""
"table"."a.b".c = 1 # deep
table.x = { 'y z' = 2, ok = "\\"}", last = [
  3
] }

[[parts]]
name = "fine"
[[parts]]
  name = "Not fine"
  size = 10
  "größe" = 1
[table.'q"']
k = 4
`),
    [
      '4:15:table."a.b".c: must be a text that is not empty',
      '5:13:table.x."y z": must be a text that is not empty',
      "5:36:table.x.last: must be a text that is not empty",
      "12:3:parts[1].name: must be a name (1 to 40 of a-z",
      "13:3:parts[1].size: must be an integer from 0 to 9",
      '14:3:parts[1]."größe": unknown key',
      '16:1:table."q\\"".k: must be a text that is not empty',
    ],
  );
});

Deno.test("inline arrays of tables are found too, and what is missing stands at its table", () => {
  assert.deepEqual(
    places('title = "t"\nparts = [\n  { name = "a" },\n  { size = 1 }, { size = "x", name = "b" },\n]\n'),
    [
      "4:3:parts[1].name: is missing",
      "4:19:parts[2].size: must be an integer from 0 to 9",
    ],
  );
});

Deno.test("a record is there where only an unknown key is wrong, so that more can be checked", () => {
  const decoded = decodeTomlFile('title = "t"\nodd = 1\n', { file: "f.toml", kind: undefined, shape });
  assert.equal(decoded.record?.title, "t");
  assert.equal(decoded.problems.length, 1);
  const later = decoded.problem(["title"], "must be there", "look");
  assert.equal(String(later), "f.toml:1:title: must be there");
  assert.equal(later.hint, "look");
});

Deno.test("a thousand problems in one long line are told in bounded time", () => {
  const keys = Array.from({ length: 5000 }, (_, at) => `k${at} = ${at}`).join(", ");
  const start = performance.now();
  const error = (() => {
    try {
      return decodeToml(`title = "t"\ntable = { x = { ${keys} } }\n`, { file: "f", kind: undefined, shape });
    } catch (error) {
      return error;
    }
  })();
  assert.ok(error instanceof ProblemList);
  assert.equal(error.problems.length, 5000);
  assert.ok(performance.now() - start < 10_000);
});

Deno.test("a text over the syntax never shows what stands in the file", () => {
  const source = 'title = "sk-secret\n';
  assert.throws(() => decodeToml(source, { file: "f", kind: "x", shape }), (error: unknown) => {
    assert.ok(error instanceof ProblemList);
    assert.doesNotMatch(String(error), /sk-secret/);
    return true;
  });
});
