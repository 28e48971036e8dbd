import assert from "node:assert/strict";
import { compareNeeds, needTexts, unsettledNeeds } from "./needs.ts";
import type { AppManifest, AppNeeds } from "./records.ts";
import { NO_SETTINGS } from "./registry.ts";

function manifest(needs: Partial<AppNeeds>): AppManifest {
  return {
    name: "notes",
    version: "0.1.0",
    description: "",
    serverEntry: "server/main.ts",
    uiFolder: "ui/dist",
    needs: { egress: [], secrets: [], files: {}, notify: false, services: [], ...needs },
    resources: { memoryBytes: 2 ** 28, pids: 64, cpus: undefined },
    routes: {},
  };
}

Deno.test("needs are said in words, one each", () => {
  const all = {
    egress: ["a.example:443"],
    secrets: ["KEY"],
    files: { photos: "rw" },
    services: ["ocr/v1"],
  } as const;
  assert.deepEqual(needTexts(manifest({ ...all, notify: true })), [
    "reach a.example:443",
    "the secret KEY",
    "read and write the folder photos",
    "call the service ocr/v1",
    "put messages into your inbox",
  ]);
});

Deno.test("a version's needs stand beside those of the version before: new, kept, gone", () => {
  const before = manifest({ egress: ["a.example:443"], files: { photos: "ro" }, notify: true });
  const next = manifest({ egress: ["a.example:443", "b.example:443"], files: { photos: "rw" } });
  assert.deepEqual(compareNeeds(next, before).map(({ name, mode, change }) => [name, mode, change]), [
    ["a.example:443", undefined, "kept"],
    ["b.example:443", undefined, "new"],
    ["photos", "rw", "new"],
    ["photos", "ro", "gone"],
    ["", undefined, "gone"],
  ]);
  assert.ok(compareNeeds(next, undefined).every(({ change }) => change === "new"));
});

Deno.test("what nobody has chosen yet is said", () => {
  const wanted = manifest({ secrets: ["KEY"], files: { photos: "ro" }, services: ["ocr/v1"] });
  assert.equal(unsettledNeeds(wanted, NO_SETTINGS).length, 3);
  const settings = {
    ...NO_SETTINGS,
    secrets: { KEY: { kind: "store", name: "key" } as const },
    files: { photos: "/photos" },
    services: { ocr: ["here"] },
  };
  assert.deepEqual(unsettledNeeds(wanted, settings), []);
});
