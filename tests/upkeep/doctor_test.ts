import assert from "node:assert/strict";
import { fromSource } from "./session.ts";

/** The whole may take this long, in milliseconds, the start of the program included. */
const LIMIT_MS = 10_000;

interface Found {
  readonly name: string;
  readonly state: string;
  readonly detail: string;
  readonly hint: string | null;
}

interface Home extends AsyncDisposable {
  readonly path: string;
  readonly env: Record<string, string>;
  /** Puts a shell script on the search path. */
  program(name: string, script: string): Promise<void>;
  doctor(): Promise<
    { readonly code: number; readonly ms: number; readonly of: (name: string) => Found | undefined }
  >;
}

/** A home whose search path has a shell's own programs and what a test puts there. */
async function makeHome(): Promise<Home> {
  const path = await Deno.makeTempDir({ prefix: "hu-" });
  for (const name of ["bin", "run", "config", "data", "state"]) {
    await Deno.mkdir(`${path}/${name}`, { mode: 0o700 });
  }
  const env = {
    HOME: path,
    PATH: `${path}/bin`,
    HANDLER_CONFIG_DIR: `${path}/config`,
    HANDLER_DATA_DIR: `${path}/data`,
    HANDLER_STATE_DIR: `${path}/state`,
    HANDLER_RUNTIME_DIR: `${path}/run`,
    HANDLER_PORT: "0",
    DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
    NO_COLOR: "1",
  };
  const [program, ...words] = fromSource();
  return {
    path,
    env,
    program: (name, script) =>
      Deno.writeTextFile(`${path}/bin/${name}`, `#!/bin/sh\n${script}\n`, { mode: 0o755 }),
    async doctor() {
      const began = performance.now();
      const args = [...words, "doctor", "--json"];
      const { code, stdout, stderr } = await new Deno.Command(program!, { args, env, clearEnv: true })
        .output();
      const ms = performance.now() - began;
      const text = new TextDecoder().decode(stdout);
      assert.notEqual(text, "", new TextDecoder().decode(stderr));
      const { schema, checks } = JSON.parse(text) as { schema: number; checks: Found[] };
      assert.equal(schema, 1);
      return {
        code,
        ms,
        of: (name) => checks.find((check) => check.name === name || check.name === `${name} (used)`),
      };
    },
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

Deno.test("a machine without anything is told what to install", async () => {
  await using home = await makeHome();
  const { code, of } = await home.doctor();
  assert.equal(of("daemon")?.state, "warning");
  assert.match(of("sandbox podman")?.hint ?? "", /install podman|podman/);
  assert.match(of("sandbox bubblewrap")?.hint ?? "", /bubblewrap/);
  assert.equal(of("sandbox deno")?.state, "ok");
  assert.equal(of("service")?.state, "warning");
  assert.equal(of("browser windows")?.state, "warning");
  assert.match(of("command")?.hint ?? "", /handler install/);
  assert.match(of("folder state")?.detail ?? "", /\/state$/);
  assert.equal(code, 0, "what is missing is no failure while something works");
});

Deno.test("what hangs is told of within ten seconds", async () => {
  await using home = await makeHome();
  for (const name of ["podman", "systemctl", "secret-tool", "gdbus", "loginctl", "timedatectl"]) {
    await home.program(name, "exec /bin/sleep 20");
  }
  using listener = Deno.listen({ transport: "unix", path: `${home.path}/run/handlerd.sock` });
  const { of, ms } = await home.doctor();
  assert.ok(ms < LIMIT_MS, `${ms} ms`);
  assert.deepEqual([of("daemon")?.state, of("sandbox podman")?.state], ["late", "late"]);
  assert.match(of("sandbox podman")?.detail ?? "", /took more than/);
  assert.equal(of("sandbox deno")?.state, "ok", "the rest is told all the same");
  assert.notEqual(of("image")?.state, "ok");
  assert.ok(listener);
});

Deno.test("what is in the way is named with what to do", async () => {
  await using home = await makeHome();
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr as Deno.NetAddr;
  home.env.HANDLER_PORT = String(port);
  await Deno.writeTextFile(
    `${home.path}/config/config.toml`,
    'apiVersion = "handler.config/v1"\nsandbox = "bubblewrap"\nsandbx = 1\n',
  );
  await Deno.chmod(`${home.path}/state`, 0o755);
  await Deno.remove(`${home.path}/data`);
  await Deno.writeTextFile(`${home.path}/data`, "a file");
  home.env.HANDLER_RUNTIME_DIR = `${home.path}/${"long/".repeat(24)}run`;
  const { code, of } = await home.doctor();
  assert.equal(code, 1);
  assert.match(of("port")?.detail ?? "", new RegExp(`${port} is taken by .*process ${Deno.pid}`));
  assert.match(of("port")?.hint ?? "", new RegExp(`HANDLER_PORT=${port + 1}`));
  assert.match(of("configuration")?.detail ?? "", /sandbx/);
  assert.deepEqual([of("folder data")?.state, of("folder state")?.state], ["failed", "warning"]);
  assert.match(of("folder state")?.hint ?? "", /^chmod 700 /);
  assert.equal(of("socket")?.state, "failed");
});

Deno.test("the sandbox that the configuration asks for must work", async () => {
  await using home = await makeHome();
  await home.program("bwrap", "echo 'bwrap: No permissions to create new namespace' >&2; exit 1");
  await Deno.writeTextFile(
    `${home.path}/config/config.toml`,
    'apiVersion = "handler.config/v1"\nsandbox = "bubblewrap"\n',
  );
  await home.program("ldd", 'exec /usr/bin/ldd "$@"');
  const { code, of } = await home.doctor();
  assert.equal(code, 1);
  assert.equal(of("sandbox bubblewrap")?.state, "failed");
  assert.match(of("sandbox bubblewrap")?.detail ?? "", /namespace/);
});
