import assert from "node:assert/strict";
import { type HandlerError, ProblemList } from "../base/mod.ts";
import { decodeToml } from "../schema/mod.ts";
import { approvalHash, manifestShape, readManifest } from "./manifest.ts";
import type { AppManifest } from "./records.ts";

// Each `.toml` has what it is read as, or its problems, beside it in a `.txt`. After a change that is meant:
// UPDATE_GOLDEN=1 deno test -A src/apps/manifest_test.ts, then read the difference.

const GOLDEN = new URL("../../tests/golden/apps/", import.meta.url).pathname;

function shown(file: string): string {
  try {
    const bytes = Deno.readFileSync(GOLDEN + file);
    return JSON.stringify(decodeToml(bytes, { file, kind: "miniapp", shape: manifestShape }), null, 2) + "\n";
  } catch (error) {
    if (!(error instanceof ProblemList)) throw error;
    return error.problems.map(line).join("");
  }
}

function line({ where, message, hint }: HandlerError): string {
  const place = [where?.file, where?.line, where?.column, where?.key].filter((part) => part !== undefined);
  return `${place.join(":")}: ${message}\n${hint ? `  hint: ${hint}\n` : ""}`;
}

for (const { name } of [...Deno.readDirSync(GOLDEN)].sort((a, b) => (a.name < b.name ? -1 : 1))) {
  if (!name.endsWith(".toml")) continue;
  Deno.test(`golden manifest ${name}`, () => {
    const expected = GOLDEN + name.replace(/toml$/, "txt");
    if (Deno.env.get("UPDATE_GOLDEN")) Deno.writeTextFileSync(expected, shown(name));
    assert.equal(shown(name), Deno.readTextFileSync(expected));
  });
}

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "manifest-" });
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("what is not written has its default", () =>
  withFolder(async (folder) => {
    await Deno.copyFile(`${GOLDEN}minimal.toml`, `${folder}/app.toml`);
    const { serverEntry, uiFolder, resources, needs } = await readManifest(folder);
    assert.deepEqual([serverEntry, uiFolder], ["server/main.ts", "ui/dist"]);
    assert.deepEqual(resources, { memoryBytes: 512 * 2 ** 20, pids: 256, cpus: undefined });
    assert.deepEqual(needs, { egress: [], secrets: [], files: {}, notify: false, services: [] });
  }));

Deno.test("no manifest, a link in its place and one without end are told with the file", () =>
  withFolder(async (folder) => {
    const file = `${folder}/app.toml`;
    const refused = (message: RegExp) =>
      assert.rejects(readManifest(folder), (error) => {
        assert.ok(error instanceof ProblemList);
        assert.equal(error.problems[0]!.where?.file, file);
        assert.match(error.problems[0]!.message, message);
        return true;
      });
    await refused(/a mini app has a manifest app\.toml/);
    await Deno.symlink("/etc/passwd", file);
    await refused(/it is a link/);
    await Deno.remove(file);
    await Deno.writeTextFile(file, "#".repeat(2 ** 20 + 1));
    await refused(/more than 1048576 bytes/);
  }));

const MANIFEST: AppManifest = {
  name: "coach",
  version: "0.3.0",
  description: "Asks",
  serverEntry: "server/main.ts",
  uiFolder: "ui/dist",
  needs: {
    egress: ["a.b:1", "c.d:2"],
    secrets: [],
    files: { a: "ro", b: "rw" },
    notify: false,
    services: [],
  },
  resources: { memoryBytes: 1, pids: 2, cpus: undefined },
  routes: {},
};

Deno.test("what is approved is what the app may do, in whatever order it is written", async () => {
  const hash = await approvalHash(MANIFEST);
  assert.match(hash, /^[0-9a-f]{64}$/);
  const { needs } = MANIFEST;
  const same = { ...needs, egress: ["c.d:2", "a.b:1"], files: { b: "rw", a: "ro" } } as const;
  assert.equal(await approvalHash({ ...MANIFEST, description: "Other words", needs: same }), hash);
  const others: readonly AppManifest[] = [
    { ...MANIFEST, version: "0.3.1" },
    { ...MANIFEST, name: "couch" },
    { ...MANIFEST, needs: { ...needs, egress: ["a.b:1"] } },
    { ...MANIFEST, needs: { ...needs, files: { a: "rw", b: "rw" } } },
    { ...MANIFEST, needs: { ...needs, notify: true } },
    { ...MANIFEST, resources: { ...MANIFEST.resources, memoryBytes: 2 } },
    { ...MANIFEST, routes: { "POST /api/x": "queued" } },
  ];
  const hashes = await Promise.all(others.map(approvalHash));
  assert.equal(new Set([hash, ...hashes]).size, others.length + 1);
});
