import assert from "node:assert/strict";
import { silentLogger, systemClock, utf8 } from "../../src/base/mod.ts";
import { createSecrets, type Secrets } from "../../src/secrets/mod.ts";

const TOOL = new URL("fake_secret_tool.sh", import.meta.url).pathname;

interface Desktop {
  readonly secrets: Secrets;
  readonly folder: string;
  readonly keyring: string;
}

/** A desktop with a keyring: `secret-tool` on the search path and a session bus. */
async function onDesktop(work: (desktop: Desktop) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir();
  const before = {
    PATH: Deno.env.get("PATH")!,
    DBUS_SESSION_BUS_ADDRESS: Deno.env.get("DBUS_SESSION_BUS_ADDRESS"),
  };
  for (const name of ["bin", "data", "keyring"]) Deno.mkdirSync(`${root}/${name}`);
  Deno.copyFileSync(TOOL, `${root}/bin/secret-tool`);
  Deno.env.set("PATH", `${root}/bin:${before.PATH}`);
  Deno.env.set("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
  Deno.env.set("FAKE_KEYRING", `${root}/keyring`);
  try {
    const options = {
      dataFolder: `${root}/data`,
      clock: systemClock,
      log: silentLogger,
      keyring: "auto",
    } as const;
    await work({ secrets: createSecrets(options), folder: `${root}/data`, keyring: `${root}/keyring` });
  } finally {
    for (const [name, value] of Object.entries(before)) {
      value ? Deno.env.set(name, value) : Deno.env.delete(name);
    }
    Deno.env.delete("FAKE_KEYRING");
    await Deno.remove(root, { recursive: true });
  }
}

async function grep(word: string, folder: string): Promise<string> {
  const { stdout } = await new Deno.Command("grep", { args: ["-rl", word, folder] }).output();
  return new TextDecoder().decode(stdout);
}

Deno.test("with a keyring the value is there alone, in no file of Handler's and in no argument", () =>
  onDesktop(async ({ secrets, folder, keyring }) => {
    const stored = await secrets.set("mistral", utf8("canary-1234\n"));
    assert.equal(stored.place, "keyring");
    assert.deepEqual((await secrets.list()).map(({ name, place }) => [name, place]), [[
      "mistral",
      "keyring",
    ]]);
    using lease = await secrets.resolve({ kind: "store", name: "mistral" }, "api_key");
    assert.equal(lease.value, "canary-1234");
    assert.equal(await grep("canary-1234", folder), "");
    assert.doesNotMatch(Deno.readTextFileSync(`${keyring}/arguments`), /canary/);
    assert.equal(await secrets.remove("mistral"), true);
    await assert.rejects(
      secrets.resolve({ kind: "store", name: "mistral" }, "api_key"),
      /no stored secret mistral/,
    );
    assert.equal(await grep("canary-1234", keyring), "");
  }));

Deno.test("a keyring that does not take the value leaves it in a private file", () =>
  onDesktop(async ({ secrets, folder, keyring }) => {
    Deno.writeTextFileSync(`${keyring}/locked`, "");
    assert.equal((await secrets.set("mistral", utf8("one"))).place, "file");
    assert.equal((Deno.statSync(`${folder}/secrets/mistral.value`).mode ?? 0) & 0o777, 0o600);
    Deno.removeSync(`${keyring}/locked`);
    assert.equal((await secrets.set("mistral", utf8("two"))).place, "keyring");
    assert.equal(await grep("one", `${folder}/secrets`), "");
    using lease = await secrets.resolve({ kind: "store", name: "mistral" }, "api_key");
    assert.equal(lease.value, "two");
  }));

Deno.test("a keyring that cannot be reached later is told apart from a secret that is not there", () =>
  onDesktop(async ({ secrets, keyring }) => {
    await secrets.set("mistral", utf8("value"));
    Deno.writeTextFileSync(`${keyring}/locked`, "");
    const resolve = () => secrets.resolve({ kind: "store", name: "mistral" }, "api_key");
    await assert.rejects(resolve(), /slot api_key .* keyring did not give the stored secret mistral/);
    Deno.env.delete("DBUS_SESSION_BUS_ADDRESS");
    await assert.rejects(resolve(), /slot api_key .* desktop's keyring, which cannot be reached/);
  }));
