import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { DENO_VERSION, RUNTIME_IMAGE } from "../../src/base/mod.ts";
import { listFolder, statIfThere } from "../../src/platform/mod.ts";
import { ROOT } from "../../tools/repository.ts";

/** The texts for people: those at the root and those of `docs/`. */
async function texts(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const folder of [".", "docs", "tests/cli"]) {
    for (const { name } of await listFolder(`${ROOT}/${folder}`)) {
      if (!name.endsWith(".md")) continue;
      found.set(join(folder, name), await Deno.readTextFile(`${ROOT}/${folder}/${name}`));
    }
  }
  return found;
}

Deno.test("every link in a text leads to a file", async () => {
  const broken: string[] = [];
  for (const [path, text] of await texts()) {
    for (const [, target = ""] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const file = join(dirname(path), target);
      if (!await statIfThere(`${ROOT}/${file}`)) broken.push(`${path}: ${target}`);
    }
  }
  assert.deepEqual(broken, []);
});

Deno.test("one version of Deno is named everywhere", async () => {
  assert.ok(RUNTIME_IMAGE.endsWith(`-${DENO_VERSION}`));
  const wrong: string[] = [];
  for (const [path, text] of await texts()) {
    for (const [, version] of text.matchAll(/deno@(\d+\.\d+\.\d+)/g)) {
      if (version !== DENO_VERSION) wrong.push(`${path}: deno@${version}`);
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("every task that a text names is in deno.json", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`));
  const unknown: string[] = [];
  for (const [path, text] of await texts()) {
    for (const [, task = ""] of text.matchAll(/(?:deno|deno@[\d.]+) task ([a-z]+)/g)) {
      if (!(task in tasks)) unknown.push(`${path}: deno task ${task}`);
    }
  }
  assert.deepEqual(unknown, []);
});
