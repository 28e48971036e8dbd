import assert from "node:assert/strict";
import { sha256Hex, utf8 } from "../../base/mod.ts";
import { takeCandidate } from "./candidate.ts";
import type { Source } from "./source.ts";

const OTHER_PROCESSOR = new Uint8Array([
  0x7f,
  0x45,
  0x4c,
  0x46,
  2,
  1,
  1,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  2,
  0,
  0x16,
  0,
  1,
  2,
  3,
]);

async function source(bytes: Uint8Array<ArrayBuffer>, sha256?: string): Promise<Source> {
  return {
    place: "the place",
    sha256: sha256 ?? await sha256Hex(bytes),
    // deno-lint-ignore require-await
    open: async () => ReadableStream.from([bytes]),
  };
}

function program(version: string, more = ""): Uint8Array<ArrayBuffer> {
  return utf8(`#!/bin/sh\n${more}\necho handlerd ${version}\n`);
}

async function refused(from: Source, why: RegExp, downgrade = false): Promise<void> {
  const folder = await Deno.makeTempDir();
  const taken = takeCandidate(from, `${folder}/handlerd.new`, { installed: "0.2.0", downgrade });
  await assert.rejects(taken, why);
  assert.deepEqual([...Deno.readDirSync(folder)], []);
  await Deno.remove(folder);
}

Deno.test("a program whose bytes and version are right is put there", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/handlerd.new`;
  await Deno.writeTextFile(path, "left by an update that was killed");
  const as = { installed: "0.2.0", downgrade: false };
  assert.equal(await takeCandidate(await source(program("0.2.1")), path, as), "0.2.1");
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o755);
  assert.equal(await takeCandidate(await source(program("0.2.0")), path, as), "0.2.0");
  assert.equal(
    await takeCandidate(await source(program("0.1.9")), path, { ...as, downgrade: true }),
    "0.1.9",
  );
  await Deno.remove(folder, { recursive: true });
});

Deno.test("another program is refused and leaves nothing", async () => {
  await refused(await source(program("0.3.0"), "00".repeat(32)), /must have the SHA-256 0000/);
  await refused(await source(program("0.1.0")), /Handler 0\.1\.0 is older than 0\.2\.0, which is installed/);
  await refused(await source(OTHER_PROCESSOR), /is for linux on another processor, this machine is/);
  await refused(await source(utf8("no program at all")), /does not run here/);
  await refused(await source(program("0.3.0", "echo broken >&2; exit 1")), /does not run here.*broken/);
  await refused(await source(utf8("#!/bin/sh\necho something else\n")), /something else/);
});

Deno.test("a source that breaks off leaves nothing", async () => {
  const broken: Source = {
    ...await source(program("0.3.0")),
    open: () =>
      Promise.resolve((async function* () {
        yield program("0.3.0").subarray(0, 5);
        throw new Error("the line is dead");
      })()),
  };
  await refused(broken, /the line is dead/);
});
