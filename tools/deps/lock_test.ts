import assert from "node:assert/strict";
import { askers, formatList, listedLicences } from "./list.ts";
import { nameAndVersion, portable, reached, readLock } from "./lock.ts";

const LOCK = readLock(JSON.stringify({
  version: "5",
  specifiers: { "npm:formats@3.0.1": "3.0.1_checker@8.0.0", "npm:@scope/web@4.1.0": "4.1.0" },
  npm: {
    "formats@3.0.1_checker@8.0.0": { integrity: "sha512-a", dependencies: ["checker", "old@1.0.0"] },
    "checker@8.0.0": { integrity: "sha512-b", optionalDependencies: ["native"] },
    "native@1.0.0": { integrity: "sha512-c", os: ["darwin"] },
    "old@1.0.0": { integrity: "sha512-d" },
    "old@2.0.0": { integrity: "sha512-e" },
    "@scope/web@4.1.0": { integrity: "sha512-f" },
  },
}));

Deno.test("a lock's ids are taken apart", () => {
  assert.deepEqual(nameAndVersion("@scope/web@4.1.0_peer@1.0.0"), { name: "@scope/web", version: "4.1.0" });
  assert.equal(LOCK.asked.get("npm:formats@3.0.1"), "formats@3.0.1_checker@8.0.0");
});

Deno.test("everything that a package needs is reached, and nothing else", () => {
  const ids = reached(LOCK, ["formats@3.0.1_checker@8.0.0"]);
  assert.deepEqual([...ids].sort(), [
    "checker@8.0.0",
    "formats@3.0.1_checker@8.0.0",
    "native@1.0.0",
    "old@1.0.0",
  ]);
  assert.deepEqual(askers(LOCK, "native@1.0.0"), ["checker"]);
});

Deno.test("what is for one system alone is left out, and what only that needs", () => {
  const lock = readLock(JSON.stringify({
    version: "5",
    specifiers: { "npm:tool@1.0.0": "1.0.0_peer@2.0.0" },
    npm: {
      "tool@1.0.0_peer@2.0.0": { dependencies: ["peer"], optionalDependencies: ["tool-arm"] },
      "peer@2.0.0": {},
      "tool-arm@1.0.0": { cpu: ["arm64"], dependencies: ["shim"] },
      "shim@1.0.0": {},
    },
  }));
  assert.deepEqual([...portable(lock).packages.keys()].sort(), ["peer@2.0.0", "tool@1.0.0_peer@2.0.0"]);
  assert.deepEqual(portable(lock).packages.get("tool@1.0.0_peer@2.0.0")?.needs, ["peer@2.0.0"]);
});

Deno.test("the list has one sorted line a package, and gives its licences back", () => {
  const text = formatList([
    { name: "web", version: "4.1.0", licence: "MIT", parts: ["daemon"], askedBy: [] },
    { name: "web", version: "4.1.0", licence: "MIT", parts: ["cli"], askedBy: ["checker"] },
    {
      name: "native",
      version: "1.0.0",
      licence: "(MIT OR Apache-2.0)",
      parts: ["daemon"],
      askedBy: ["checker"],
    },
  ]);
  assert.deepEqual(text.split("\n").slice(2), [
    "native 1.0.0  (MIT OR Apache-2.0)  daemon  (for checker)",
    "web 4.1.0  MIT  cli, daemon",
    "",
  ]);
  assert.equal(listedLicences(text).get("native 1.0.0"), "(MIT OR Apache-2.0)");
});
