import assert from "node:assert/strict";
import { HandlerError, makeLogger, systemClock, TestClock, utf8 } from "../base/mod.ts";
import { createSecrets, MAX_SECRET_BYTES, type Secrets } from "./mod.ts";

interface Bench {
  readonly secrets: Secrets;
  readonly folder: string;
  readonly lines: string[];
}

async function bench(work: (bench: Bench) => Promise<void>, clock = systemClock): Promise<void> {
  const folder = await Deno.makeTempDir();
  const lines: string[] = [];
  const log = makeLogger((level, message, fields) =>
    lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  );
  try {
    await work({
      secrets: createSecrets({ dataFolder: folder, clock, log, keyring: "never" }),
      folder,
      lines,
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function refused(tried: Promise<unknown>, pattern: RegExp): Promise<void> {
  await assert.rejects(tried, (error) => {
    assert.ok(error instanceof HandlerError);
    assert.match(error.message, pattern);
    assert.match(error.message, /slot api_key/);
    assert.doesNotMatch(`${error} ${error.hint}`, /canary/i);
    return true;
  });
}

Deno.test("a command's output is the value, its last newline is not", () =>
  bench(async ({ secrets }) => {
    const argv = ["sh", "-c", 'printf "line one\\nhome $HOME\\n\\n"'];
    using lease = await secrets.resolve({ kind: "command", argv }, "api_key");
    assert.equal(lease.value, `line one\nhome ${Deno.env.get("HOME")}\n`);
    assert.equal(secrets.redact(`<${lease.value}>`), "<[secret:api_key]>");
  }));

Deno.test("a command that fails, prints nothing, too much or binary is an error without its output", () =>
  bench(async ({ secrets }) => {
    const shell = (script: string) => ({ kind: "command" as const, argv: ["sh", "-c", script] });
    await refused(
      secrets.resolve(shell("echo canary; echo canary >&2; exit 3"), "api_key"),
      /sh ended with code 3/,
    );
    await refused(secrets.resolve(shell("true"), "api_key"), /it is empty/);
    await refused(secrets.resolve(shell("echo"), "api_key"), /it is empty/);
    await refused(secrets.resolve(shell("yes canary"), "api_key"), /sh printed too much/);
    await refused(secrets.resolve(shell("printf 'canary\\000x'"), "api_key"), /it holds a NUL/);
    await refused(secrets.resolve(shell("printf 'canary\\377'"), "api_key"), /not UTF-8/);
    await refused(
      secrets.resolve({ kind: "command", argv: ["no-such-program", "canary"] }, "api_key"),
      /not on this/,
    );
  }));

Deno.test("a command that takes too long is ended with its children", async () => {
  const clock = new TestClock();
  await bench(async ({ secrets, folder }) => {
    const argv = ["sh", "-c", `sleep 60 & echo $! > ${folder}/child; wait`];
    const tried = secrets.resolve({ kind: "command", argv }, "api_key");
    const child = await appears(`${folder}/child`);
    clock.tick(10_000);
    await refused(tried, /sh took more than 10 s/);
    await gone(Number(child));
  }, clock);
});

async function appears(path: string): Promise<string> {
  for (;;) {
    const text = await Deno.readTextFile(path).catch(() => "");
    if (text.endsWith("\n")) return text;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function gone(pid: number): Promise<void> {
  while (await Deno.readTextFile(`/proc/${pid}/stat`).then((stat) => !/\) Z/.test(stat), () => false)) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

Deno.test("a file gives the value; one that others can read is mentioned in the log", () =>
  bench(async ({ secrets, folder, lines }) => {
    await Deno.writeTextFile(`${folder}/key`, "hunter2\r\n", { mode: 0o600 });
    using lease = await secrets.resolve({ kind: "file", path: `${folder}/key` }, "api_key");
    assert.equal(lease.value, "hunter2");
    assert.deepEqual(lines, []);
    await Deno.chmod(`${folder}/key`, 0o644);
    (await secrets.resolve({ kind: "file", path: `${folder}/key` }, "api_key")).release();
    assert.match(lines.join(), /can be read by others.*0644/);
  }));

Deno.test("a file that is not there, no file, too large, relative or empty is an error", () =>
  bench(async ({ secrets, folder }) => {
    const file = (path: string) => secrets.resolve({ kind: "file", path }, "api_key");
    await Deno.writeTextFile(`${folder}/empty`, "\n");
    await Deno.writeFile(`${folder}/large`, new Uint8Array(MAX_SECRET_BYTES + 3).fill(65));
    await new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).output();
    await refused(file(`${folder}/none`), /there is no file/);
    await refused(file(folder), /not a regular file/);
    await refused(file(`${folder}/pipe`), /not a regular file/);
    await refused(file("/dev/zero"), /not a regular file/);
    await refused(file(`${folder}/large`), /larger than/);
    await refused(file("key.txt"), /not absolute/);
    await refused(file(`${folder}/empty`), /it is empty/);
  }));

Deno.test("a variable gives the value; an unset or empty one is an error", () =>
  bench(async ({ secrets }) => {
    Deno.env.set("HANDLER_TEST_SECRET", "from the environment");
    using lease = await secrets.resolve({ kind: "env", name: "HANDLER_TEST_SECRET" }, "api_key");
    assert.equal(lease.value, "from the environment");
    Deno.env.set("HANDLER_TEST_SECRET", "");
    await refused(
      secrets.resolve({ kind: "env", name: "HANDLER_TEST_SECRET" }, "api_key"),
      /HANDLER_TEST_SECRET/,
    );
    Deno.env.delete("HANDLER_TEST_SECRET");
  }));

Deno.test("a stored secret is a private file, is listed without its value, and can be removed", () =>
  bench(async ({ secrets, folder, lines }) => {
    await secrets.set("mistral", utf8("canary-value\n"));
    const files = [...Deno.readDirSync(`${folder}/secrets`)].map(({ name }) => name);
    assert.deepEqual(files, ["mistral.value"]);
    const { mode } = await Deno.stat(`${folder}/secrets/mistral.value`);
    assert.equal((mode ?? 0) & 0o777, 0o600);
    using lease = await secrets.resolve({ kind: "store", name: "mistral" }, "api_key");
    assert.equal(lease.value, "canary-value");
    const listed = await secrets.list();
    assert.deepEqual(listed.map(({ name, place }) => [name, place]), [["mistral", "file"]]);
    assert.doesNotMatch(JSON.stringify([listed, lines]), /canary/);
    assert.deepEqual([await secrets.remove("mistral"), await secrets.remove("mistral")], [true, false]);
    await refused(secrets.resolve({ kind: "store", name: "mistral" }, "api_key"), /no stored secret mistral/);
  }));

Deno.test("a name is only itself: stars, dots, slashes, letter case and other scripts", () =>
  bench(async ({ secrets, folder }) => {
    const names = ["**", "*", "..", ".", "a/b", "../up", "A", "a", "schlüssel", "鍵", "%2A", "x.value"];
    for (const name of names) await secrets.set(name, utf8(`value of ${name}`));
    assert.deepEqual((await secrets.list()).map(({ name }) => name).sort(), [...names].sort());
    for (const name of names) {
      using lease = await secrets.resolve({ kind: "store", name }, "slot");
      assert.equal(lease.value, `value of ${name}`);
    }
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["secrets"]);
    assert.equal(await secrets.remove("**"), true);
    assert.equal((await secrets.list()).length, names.length - 1);
  }));

Deno.test("a name or value that breaks its rule is not stored", () =>
  bench(async ({ secrets }) => {
    for (const name of ["", " x", "x\n", "x\0", "n".repeat(81), "right\u202eleft"]) {
      await assert.rejects(secrets.set(name, utf8("value")), /a secret's name is/);
    }
    await assert.rejects(secrets.set("ok", utf8("")), /it is empty/);
    await assert.rejects(secrets.set("ok", new Uint8Array(MAX_SECRET_BYTES + 3)), /larger than/);
    assert.deepEqual(await secrets.list(), []);
  }));

Deno.test("a value too short to be taken out of logs is mentioned", () =>
  bench(async ({ secrets, lines }) => {
    await secrets.set("pin", utf8("123"));
    (await secrets.resolve({ kind: "store", name: "pin" }, "pin")).release();
    assert.match(lines.join("\n"), /too short to be taken out of logs {"slot":"pin"}/);
  }));
