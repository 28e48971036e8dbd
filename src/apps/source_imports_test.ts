import assert from "node:assert/strict";
import { importProblems } from "./source_imports.ts";

async function told(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = await Deno.makeTempDir({ prefix: "imports-" });
  try {
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${folder}/${path}`, text);
    }
    return (await importProblems(folder, ["main.ts"])).map(({ where, message }) =>
      `${where?.file?.slice(folder.length + 1)}:${where?.line} ${message}`
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("imports of the runtime, of the folder's own files and of types are well", async () => {
  const main = `import { DatabaseSync } from "node:sqlite";
import { a, type B } from "./deep/a.ts";
import "./side.js";
import type { Far } from "../shared/far.ts";
import { type One, type Two } from "npm:types@1";
export * from "./deep/a.ts";
export type { Other } from "../shared/far.ts";
import data from "./data.json" with { type: "json" };
// import gone from "./gone.ts";
/* import gone from "./gone.ts";
import gone from "./gone.ts"; */
const text = \`
import gone from "npm:gone";
\`;
const late = import("npm:late");
export const from = "npm:words", names = [];
`;
  const files = {
    "main.ts": main,
    "deep/a.ts": `import "../side.js";`,
    "side.js": `import "./main.ts"`,
    "data.json": "{}",
  };
  assert.deepEqual(await told(files), []);
});

Deno.test("what a deploy does not install or fetch is told with its line, however deep", async () => {
  const main = `import { a } from './a.ts';
import {
  Hono,
} from "npm:hono@4";
import x from "../shared/x.ts";
import y from "hono"; import "https://deno.land/x/y.ts";
export { z } from "/etc/z.ts";
`;
  assert.deepEqual(
    await told({ "main.ts": main, "a.ts": `\nimport "./gone.ts";\nimport "./deep";`, "deep/b.ts": "" }),
    [
      `a.ts:2 there is no module "./gone.ts"`,
      `a.ts:3 there is no module "./deep"`,
      `main.ts:4 nothing is fetched: "npm:hono@4" will not be found`,
      `main.ts:5 only the backend's folder is installed: "../shared/x.ts" leads out of it`,
      `main.ts:6 nothing is fetched: "hono" will not be found`,
      `main.ts:7 only the backend's folder is installed: "/etc/z.ts" leads out of it`,
    ],
  );
});
