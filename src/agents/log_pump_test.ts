import assert from "node:assert/strict";
import { makeLogger, systemClock, utf8, utf8Text } from "../base/mod.ts";
import { appendBytes } from "../platform/mod.ts";
import { createSecrets } from "../secrets/mod.ts";
import { followLog } from "./attach.ts";
import { LogPump } from "./log_pump.ts";
import { SessionLog } from "./session_log.ts";

interface Bench {
  readonly folder: string;
  readonly errors: string[];
  start(): Promise<LogPump>;
  print(text: string | Uint8Array): Promise<void>;
}

async function bench(work: (bench: Bench) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const errors: string[] = [];
  const report = makeLogger((level, message) => level === "info" || errors.push(message));
  const secrets = createSecrets({ dataFolder: folder, clock: systemClock, log: report, keyring: "never" });
  await secrets.set("key", utf8("hunter2-ünd-mehr"));
  using _lease = await secrets.resolve({ kind: "store", name: "key" }, "api_key");
  const output = `${folder}/output`;
  const start = async () =>
    await LogPump.start({
      output,
      checkpoint: `${folder}/checkpoint.json`,
      log: await SessionLog.open(`${folder}/log`),
      redact: secrets.redactStream(),
      clock: systemClock,
      report,
    });
  const print = (text: string | Uint8Array) =>
    appendBytes(output, typeof text === "string" ? utf8(text) : text);
  try {
    await work({ folder, errors, start, print });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function readAll(pump: LogPump): Promise<string> {
  const parts: number[] = [];
  for await (const { bytes } of followLog(pump.log, 0, undefined, undefined)) parts.push(...bytes);
  return utf8Text(new Uint8Array(parts));
}

async function until(pump: LogPump, end: number): Promise<void> {
  while (pump.log.end < end) await pump.grown;
}

Deno.test("what is printed reaches the log without secrets, and the program's own file goes at the end", () =>
  bench(async ({ folder, start, print, errors }) => {
    const pump = await start();
    await print("key=hunter2-ü");
    await until(pump, 4);
    assert.equal(await readAll(pump), "key=");
    await print("nd-mehr.\n");
    await pump.end();
    assert.equal(await readAll(pump), "key=[secret:api_key].\n");
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["log", "secrets"]);
    assert.deepEqual(errors, []);
  }));

Deno.test("a later daemon goes on where an earlier one was killed, without a gap or a repeat", () =>
  bench(async ({ folder, start, print }) => {
    const first = await start();
    await print("one ");
    await until(first, 4);
    await first.close();
    const checkpoint = Deno.readTextFileSync(`${folder}/checkpoint.json`);
    await print("two ");
    const killed = await start();
    await until(killed, 8);
    await killed.close();
    Deno.writeTextFileSync(`${folder}/checkpoint.json`, checkpoint); // as if it had died before this was written
    await print("three");
    const last = await start();
    await last.end();
    assert.equal(await readAll(last), "one two three");
  }));

Deno.test("who follows sees each piece once, and the end", () =>
  bench(async ({ start, print }) => {
    const pump = await start();
    await print("early ");
    const seen: string[] = [];
    const following = (async () => {
      for await (const { offset, bytes } of followLog(pump.log, 0, pump, undefined)) {
        seen.push(`${offset}:${utf8Text(bytes)}`);
        if (seen.length === 1) await print("late");
      }
    })();
    await until(pump, 10);
    await pump.end();
    await following;
    assert.equal(seen.map((piece) => piece.split(":")[1]).join(""), "early late");
  }));

Deno.test("who no longer follows is let go at once", () =>
  bench(async ({ start }) => {
    const pump = await start();
    const controller = new AbortController();
    const following = Array.fromAsync(followLog(pump.log, 0, pump, controller.signal));
    controller.abort();
    assert.deepEqual(await following, []);
    await pump.end();
  }));

Deno.test("megabytes and broken bytes come through, and the disk gets its blocks back", () =>
  bench(async ({ folder, start, print }) => {
    const pump = await start();
    for (let i = 0; i < 48; i++) await print("0123456789abcdef".repeat(4096));
    await until(pump, 48 * 65536);
    assert.equal(Deno.statSync(`${folder}/output`).size, 48 * 65536);
    assert.ok((Deno.statSync(`${folder}/output`).blocks ?? 0) * 512 <= 2 * 1024 * 1024);
    await print(new Uint8Array([0x61, 0xff, 0xc3]));
    await pump.end();
    assert.ok((await readAll(pump)).endsWith("0123456789abcdefa\ufffd\ufffd"));
  }));

Deno.test("a program that prints faster than the log can take loses the middle, never half a secret", () =>
  bench(async ({ folder, start, print, errors }) => {
    const first = await start();
    await first.close();
    await print("the beginning\n");
    const line = "x".repeat(78) + "\n";
    await Deno.truncate(`${folder}/output`, 90 * 1024 * 1024);
    for (const at of [82, 84, 86]) {
      await write(`${folder}/output`, at * 1024 * 1024 - 8, "hunter2-ünd-mehr\n" + line);
    }
    const pump = await start();
    await pump.end();
    const text = await readAll(pump);
    assert.match(text, /\[\d+ bytes left out here\]\n/);
    assert.equal(text.split("[secret:api_key]").length - 1, 2);
    assert.doesNotMatch(text, /mehr/);
    assert.deepEqual(errors, ["a session prints faster than its log can take"]);
  }));

async function write(path: string, at: number, text: string): Promise<void> {
  using file = await Deno.open(path, { write: true });
  await file.seek(at, Deno.SeekMode.Start);
  await file.write(utf8(text));
}
