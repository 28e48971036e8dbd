import assert from "node:assert/strict";
import { isTest } from "../floors.ts";
import { pageFiles, ROOT, sourceFiles } from "../repository.ts";
import { planRuns } from "./plan.ts";

Deno.test("every test of the repository is in exactly one run", async () => {
  const planned = (await planRuns()).flatMap(({ cwd, paths }) =>
    paths.map((path) => `${cwd}/${path}`.slice(ROOT.length + 1))
  );
  assert.deepEqual([...planned].sort(), [...await sourceFiles(), ...await pageFiles()].filter(isTest).sort());
});

Deno.test("the tests beside the code run before those that need engines", async () => {
  const areas = (await planRuns()).map(({ area }) => area);
  assert.equal(areas.lastIndexOf("unit"), areas.filter((area) => area === "unit").length - 1);
  assert.ok(areas.includes("repository"));
});
