import assert from "node:assert/strict";
import { PROJECT_ZOD, projectTypes } from "./project_types.ts";

const definitions = { agents: [], prompts: [], models: [], tools: [], hooks: [], effects: [], handlers: [] };

function made(text?: string, name = "deno.json") {
  const denoJson = text === undefined ? undefined : { name, text };
  const { files, remarks } = projectTypes({ definitions, spec: "export {};\n", denoJson });
  return {
    written: files.find(({ path }) => path === name)?.text,
    paths: files.map(({ path }) => path),
    remarks,
  };
}

const TYPES = { types: ["./.agents/types.d.ts"] };
const IMPORTS = { "@standardagents/spec": "./.agents/spec.ts", zod: PROJECT_ZOD };

Deno.test("a project without deno.json gets one", () => {
  const { written, paths, remarks } = made();
  assert.deepEqual(paths, [".agents/types.d.ts", ".agents/spec.ts", "deno.json"]);
  assert.deepEqual(JSON.parse(written ?? ""), { imports: IMPORTS, compilerOptions: TYPES });
  assert.deepEqual(remarks, []);
});

Deno.test("what a deno.json has stays, comments and order too", () => {
  const text = `{
  // ours
  "tasks": { "a": "b" },
  "imports": { "zod": "npm:zod@4.0.0" },
  "compilerOptions": { "strict": false, "types": ["./own.d.ts"] },
}
`;
  const { written = "" } = made(text, "deno.jsonc");
  assert.match(written, /\/\/ ours\n {2}"tasks": \{ "a": "b" \}/);
  assert.match(written, /"zod": "npm:zod@4\.0\.0"/);
  assert.match(written, /"@standardagents\/spec": "\.\/\.agents\/spec\.ts"/);
  assert.match(written, /"strict": false/);
  assert.match(written, /"\.\/own\.d\.ts",\s+"\.\/\.agents\/types\.d\.ts"/);
});

Deno.test("a deno.json that has all of it is left alone", () => {
  const text = JSON.stringify({ imports: { ...IMPORTS, zod: "./my_zod.ts" }, compilerOptions: TYPES });
  assert.deepEqual(made(text), {
    written: undefined,
    paths: [".agents/types.d.ts", ".agents/spec.ts"],
    remarks: [],
  });
});

Deno.test("where nothing can be added it is said what to add", () => {
  const byHand = [
    `deno.json: map "@standardagents/spec" to "./.agents/spec.ts" among its imports`,
    `deno.json: map "zod" to "${PROJECT_ZOD}" among its imports`,
  ];
  assert.deepEqual(made("{ nonsense").remarks, [
    "deno.json: it cannot be read, so nothing was added to it",
    ...byHand,
  ]);
  assert.equal(made("{ nonsense").written, undefined);
  assert.deepEqual(made(`{ "importMap": "./map.json" }`).remarks, byHand);
  assert.deepEqual(made(JSON.stringify({ imports: IMPORTS, compilerOptions: { types: "x" } })).remarks, [
    `deno.json: add "./.agents/types.d.ts" to compilerOptions.types`,
  ]);
});

Deno.test("the schema package is the one that Handler ships", async () => {
  const { imports } = JSON.parse(await Deno.readTextFile(new URL("../../deno.json", import.meta.url)));
  assert.equal(PROJECT_ZOD, imports.zod);
});
