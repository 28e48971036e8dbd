/** What `docs/contracts.md` shows as configuration is read, and its figures are those of the program. */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { STATUS } from "../../src/api/errors.ts";
import { BODY_LIMIT } from "../../src/api/body.ts";
import { RUNTIME_IMAGE } from "../../src/base/mod.ts";
import { loadConfiguration } from "../../src/config/mod.ts";
import { HANDSHAKE_VERSIONS, STATELESS_VERSIONS } from "../../src/wire/mod.ts";
import { ROOT } from "../../tools/repository.ts";
import { stepsOf } from "./page.ts";

const PAGE = await Deno.readTextFile(`${ROOT}/docs/contracts.md`);

async function written(): Promise<string> {
  const folder = await Deno.makeTempDir();
  for (const step of await stepsOf("contracts.md")) {
    if (step.kind !== "file") continue;
    await Deno.mkdir(dirname(`${folder}/${step.path}`), { recursive: true });
    await Deno.writeTextFile(`${folder}/${step.path}`, step.text);
  }
  return folder;
}

Deno.test("the page's files are read without a problem, and name every key", async () => {
  const { main, agents, projects, bindings, persons } = await loadConfiguration(await written());
  const records = [
    main,
    agents.get("clerk")!,
    projects.get("books")!,
    bindings.get("ocr-local")!,
    persons.get("alice")!,
  ];
  const keys = records.flatMap((record) => Object.keys(record)).filter((key) =>
    !["name", "file"].includes(key)
  );
  assert.deepEqual(keys.filter((key) => !PAGE.includes(key) && key !== "uses"), []);
  assert.ok(records.every((record) => Object.values(record).every((value) => value !== undefined)));
});

Deno.test("the page's figures are the program's", () => {
  for (const [kind, status] of Object.entries(STATUS)) assert.ok(PAGE.includes(`${status}`), kind);
  assert.ok(PAGE.includes(`at most ${BODY_LIMIT / 1024 / 1024} MiB`));
  assert.ok(PAGE.includes(RUNTIME_IMAGE));
  assert.ok(PAGE.includes(`${HANDSHAKE_VERSIONS[0]} to ${HANDSHAKE_VERSIONS.at(-1)}`));
  assert.ok(PAGE.includes(STATELESS_VERSIONS[0]));
});
