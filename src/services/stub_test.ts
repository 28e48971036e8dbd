import assert from "node:assert/strict";
import { dirname } from "node:path";
import { fromFileUrl, shippedFolder } from "../platform/mod.ts";
import { loadConnectors } from "./connectors.ts";
import type { Interface } from "./interface.ts";
import { loadInterfaces } from "./interfaces.ts";
import { interfaceStub } from "./stub.ts";
import { KIT_DECLARATIONS } from "./stub/kit_declarations.ts";
import { TypeWriter } from "./stub/type_writer.ts";

const KIT = new URL("../guest/kit/mod.ts", import.meta.url).href;
const KIT_TEXT = `export * from ${JSON.stringify(KIT)};\n`;
const { interfaces } = await loadInterfaces({
  shippedFolder: shippedFolder("interfaces"),
  userFolder: fromFileUrl(new URL("../../tests/fixtures/interfaces", import.meta.url)),
});

async function write(files: Readonly<Record<string, string>>, folder: string): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(`${folder}/${path}`), { recursive: true });
    await Deno.writeTextFile(`${folder}/${path}`, text);
  }
}

async function denoCheck(file: string): Promise<string> {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--no-lock", file],
    cwd: dirname(file),
    env: { NO_COLOR: "1" },
  }).output();
  return code === 0 ? "" : new TextDecoder().decode(stderr);
}

for (const id of ["ocr/v1", "llm/v1", "words/v1"]) {
  Deno.test(`the stub of ${id} is a sound connector and compiles`, async () => {
    const folder = await Deno.makeTempDir();
    await write(interfaceStub(interfaces.get(id)!, "my-own", KIT_TEXT), `${folder}/my-own`);
    const set = await loadConnectors({ shippedFolder: folder, userFolder: undefined, interfaces });
    assert.deepEqual(set.problems.map(String), []);
    assert.deepEqual(set.connectors.get("my-own")?.implements, [id]);
    assert.equal(await denoCheck(`${folder}/my-own/main.ts`), "");
  });
}

Deno.test("a hyphen in the interface's name compiles too", async () => {
  const words = interfaces.get("words/v1")!;
  const tools = words.tools.map((tool) => ({ ...tool, name: tool.name.replace("words_", "web-words_") }));
  const folder = await Deno.makeTempDir();
  await write(
    interfaceStub({ ...words, name: "web-words", id: "web-words/v1", tools }, "my-own", KIT_TEXT),
    folder,
  );
  assert.equal(await denoCheck(`${folder}/main.ts`), "");
});

Deno.test("a wrong code and a wrong output do not compile in a stub", async () => {
  const folder = await Deno.makeTempDir();
  const files = interfaceStub(interfaces.get("ocr/v1")!, "my-own", KIT_TEXT);
  const wrong = files["main.ts"]!.replace('"unavailable"', '"out_of_order"');
  await write({ ...files, "main.ts": wrong }, folder);
  assert.match(
    await denoCheck(`${folder}/main.ts`),
    /"out_of_order"' is not assignable to parameter of type '"invalid_input" | "limit" | Code'/,
  );
  const output = files["main.ts"]!.replace(/return call.fail.*;/, 'return { pages: [{ txt: "" }] };');
  await write({ "main.ts": output }, folder);
  assert.match(await denoCheck(`${folder}/main.ts`), /txt/);
});

Deno.test("the kit is what its declarations say", async () => {
  const folder = await Deno.makeTempDir();
  const test = `import * as real from ${JSON.stringify(KIT)};
import type * as declared from "./kit.d.ts";
export const kit: typeof declared = real;
export const file: (from: real.HandlerFile) => declared.HandlerFile = (from) => from;
export const output: (from: real.HandlerOutput) => declared.HandlerOutput = (from) => from;
export const call: (from: real.Call<"a">) => declared.Call<"a"> = (from) => from;
export const back: (from: declared.Call<"a">) => real.Call<"a"> = (from) => from;
`;
  await write({
    "kit.d.ts": KIT_DECLARATIONS,
    "test.ts": test,
    "deno.json": '{ "compilerOptions": { "strict": true } }',
  }, folder);
  assert.equal(await denoCheck(`${folder}/test.ts`), "");
});

Deno.test("a name that is none is refused", () => {
  assert.throws(() => interfaceStub({} as Interface, "My Own", ""), { kind: "usage" });
});

for (
  const [what, schema, types] of [
    [
      "an empty object",
      { type: "object", additionalProperties: false },
      "export type T = Record<string, never>;\n",
    ],
    [
      "enum and const",
      { type: "object", properties: { a: { enum: ["x", 1, null] }, "b-c": { const: true } } },
      `export interface T {
  readonly a?: "x" | 1 | null;
  readonly "b-c"?: true;
}
`,
    ],
    [
      "a union of objects",
      { oneOf: [{ type: "object", properties: { a: { type: "string" } } }, { type: "null" }] },
      `export type T = {
  readonly a?: string;
} | null;
`,
    ],
    [
      "a list of several types",
      { type: "array", items: { type: ["string", "null"] } },
      "export type T = readonly (string | null)[];\n",
    ],
    [
      "a tuple",
      { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } },
      "export type T = readonly [string, ...number[]];\n",
    ],
    [
      "a table",
      { type: "object", additionalProperties: { type: "integer" } },
      `export interface T {
  readonly [name: string]: number;
}
`,
    ],
    [
      "a schema inside itself",
      {
        $ref: "#/$defs/node",
        $defs: {
          node: {
            type: "object",
            required: ["next"],
            properties: { next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } },
          },
        },
      },
      `export type T = TNode;

export interface TNode {
  readonly next: TNode | null;
}
`,
    ],
    [
      "a pointer into a union",
      {
        type: "object",
        properties: {
          a: { anyOf: [{ type: "string" }, { type: "number" }] },
          b: { $ref: "#/properties/a/anyOf/1" },
        },
      },
      `export interface T {
  readonly a?: string | number;
  readonly b?: T1;
}

export type T1 = number;
`,
    ],
    [
      "files",
      {
        type: "object",
        required: ["in"],
        properties: {
          in: { type: "string", format: "handler-file", description: "to\n read */" },
          out: { type: "string", format: "handler-output-file" },
        },
      },
      `export interface T {
  /** to read * / */
  readonly in: HandlerFile;
  readonly out?: HandlerOutput;
}
`,
    ],
  ] as const
) {
  Deno.test(`types of ${what}`, () => assert.equal(new TypeWriter(schema, "T").declarations(), types));
}
