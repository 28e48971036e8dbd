import assert from "node:assert/strict";
import { utf8, utf8Text } from "../base/mod.ts";
import { LOG_LIMITS, SessionLog } from "./session_log.ts";

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(`${folder}/log`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function whole(log: SessionLog): Promise<string> {
  let text = "";
  for (let at = log.start; at < log.end;) {
    const piece = await log.read(at, 1000);
    text += utf8Text(piece.bytes);
    at = piece.offset + piece.bytes.length;
  }
  return text;
}

Deno.test("a log is read from any offset, also by who opens it later", () =>
  inFolder(async (folder) => {
    const log = await SessionLog.open(folder);
    assert.deepEqual([log.start, log.end], [0, 0]);
    await log.append(utf8("one "));
    await log.append(utf8("two"));
    const again = await SessionLog.open(folder);
    assert.equal(again.end, 7);
    assert.equal(utf8Text((await again.read(4, 100)).bytes), "two");
    assert.equal((await again.read(7, 100)).bytes.length, 0);
    assert.equal((await again.read(700, 100)).bytes.length, 0);
    await again.append(utf8("!"));
    assert.equal(await whole(again), "one two!");
  }));

Deno.test("a log is bounded: the oldest part goes, offsets stay good", () =>
  inFolder(async (folder) => {
    const log = await SessionLog.open(folder);
    const piece = LOG_LIMITS.segmentBytes / 2;
    const count = LOG_LIMITS.segments * 2 + 5;
    for (let i = 0; i < count; i++) await log.append(new Uint8Array(piece).fill(97 + i % 26));
    assert.equal(log.end, count * piece);
    assert.ok(log.end - log.start <= LOG_LIMITS.segments * LOG_LIMITS.segmentBytes);
    assert.ok(log.start > 0);
    const sizes = [...Deno.readDirSync(folder)].map(({ name }) => Deno.statSync(`${folder}/${name}`).size);
    assert.equal(sizes.reduce((sum, size) => sum + size, 0), log.end - log.start);
    const first = await log.read(0, 10);
    assert.equal(first.offset, log.start);
    assert.equal(first.bytes[0], 97 + (log.start / piece) % 26);
    assert.equal((await log.read(log.end - 1, 10)).bytes[0], 97 + (count - 1) % 26);
    assert.deepEqual([(await SessionLog.open(folder)).start, (await SessionLog.open(folder)).end], [
      log.start,
      log.end,
    ]);
  }));

Deno.test("what was added after an offset can be taken back", () =>
  inFolder(async (folder) => {
    const log = await SessionLog.open(folder);
    await log.append(utf8("kept, not kept"));
    await log.cutTo(4);
    await log.append(utf8("!"));
    assert.equal(await whole(log), "kept!");
    await log.cutTo(900);
    assert.equal(log.end, 5);
  }));
