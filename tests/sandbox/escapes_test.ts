import assert from "node:assert/strict";
import { join } from "node:path";
import type { DriverName, SandboxSpec } from "../../src/sandbox/mod.ts";
import { INSIDE } from "../../src/sandbox/mod.ts";
import { NOT_STOPPED } from "../../src/sandbox/deno/not_stopped.ts";
import { type Escape, ESCAPES } from "./escapes.ts";
import { denoProgram, type Home, makeSpec, onDriver } from "./support.ts";

/** What each driver is known not to stop, by the names of the suite; the table must come out exactly so. */
const KNOWN: Record<DriverName, (home: Home) => readonly string[]> = {
  podman: () => [],
  bubblewrap: () => [],
  deno: () => NOT_STOPPED.filter(({ suite }) => suite).map(({ escape }) => escape),
};

for (const driver of ["bubblewrap", "podman", "deno"] as const) {
  onDriver(driver, "every escape is stopped, or known not to be", async (t, home) => {
    const known = KNOWN[driver](home);
    for (const escape of ESCAPES) {
      await t.step(escape.name, async () => {
        const { escaped, log } = await attempt(home, driver, escape);
        assert.equal(escaped !== undefined, known.includes(escape.name), `${escaped ?? "stopped"}\n${log}`);
      });
    }
  });
}

async function attempt(
  home: Home,
  driver: DriverName,
  escape: Escape,
): Promise<{ escaped: string | undefined; log: string }> {
  const folder = await Deno.makeTempDir({ dir: home.folder, prefix: "e-" });
  const folders = { hidden: join(folder, "hidden"), rw: join(folder, "rw"), ro: join(folder, "ro") };
  for (const path of Object.values(folders)) await Deno.mkdir(path);
  await Deno.writeTextFile(join(folders.ro, "there.txt"), "there");
  await using target = await escape.aim(folders);
  await Deno.writeTextFile(join(folders.ro, "escape.ts"), program(escape, target.facts));
  const sandbox = await home.sandboxes.driver(driver).start(makeSpec({
    ...runnerFor(driver),
    ...escape.limits,
    env: { WORK_RW: "/work/rw", WORK_RO: "/work/ro" },
    mounts: [
      { source: folders.ro, target: "/work/ro", mode: "ro" },
      { source: folders.rw, target: "/work/rw", mode: "rw" },
    ],
    timeoutMs: 120_000,
  }));
  const { code, reason } = await sandbox.exited;
  const log = `exit ${code} (${reason})\n${sandbox.log()}`;
  const inside = /^ESCAPED (.*)$/m.exec(log)?.[1];
  const seen = await target.seen?.() ? "the host saw it" : undefined;
  assert.match(log, /^tried$/m, "the escape was not even tried");
  return { escaped: inside ?? seen, log };
}

function program(escape: Escape, facts: object): string {
  return `// deno-lint-ignore-file
const RW = Deno.env.get("WORK_RW")!, RO = Deno.env.get("WORK_RO")!;
const facts: any = ${JSON.stringify(facts)};
console.log("tried");
try {
  const escaped = await (async () => { ${escape.code} })();
  console.log(escaped === undefined ? "stopped" : "ESCAPED " + escaped);
} catch (error) {
  console.log("stopped by " + error);
}
Deno.exit(0);
`;
}

/** Where the driver itself must stop it, Deno's permissions are all given; the deno driver has nothing else. */
function runnerFor(driver: DriverName): Pick<SandboxSpec, "kind" | "program"> {
  if (driver !== "deno") {
    const argv = [INSIDE.deno, "run", "-A", "--no-config", "--no-check", "/work/ro/escape.ts"];
    return { kind: "agent", program: { kind: "argv", argv } };
  }
  return {
    kind: "connector",
    program: {
      kind: "deno",
      entry: "/work/ro/escape.ts",
      args: [],
      permissions: {
        read: ["/work/ro", "/work/rw"],
        write: ["/work/rw"],
        run: [],
        env: true,
        sys: ["uid"],
        loopback: true,
      },
    },
  };
}

/** Programs that show what the deno driver is known not to stop, for what the suite above does not try. */
const DENO_LEAKS: Record<string, (home: Home) => Promise<string>> = {
  "allowed host dialled past handlerd": async (home) => {
    const server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = server.addr;
    const source =
      `(await Deno.connect({ hostname: "localhost", port: ${port} })).close(); console.log("LEAK");`;
    const egress = [{ host: "localhost", port, namedLocal: false }];
    const said = await denoLeak(home, source, {}, { egress });
    server.close();
    return home.records.length === 0 ? said : "";
  },
  "program with run permission": async (home) => {
    const secret = join(home.folder, "secret");
    await Deno.writeTextFile(secret, "LEAK");
    const source =
      `console.log(new TextDecoder().decode((await new Deno.Command("cat", { args: ["${secret}"] }).output()).stdout));`;
    return await denoLeak(home, source, { run: ["cat"] });
  },
  "same user": (home) =>
    denoLeak(home, `if (Deno.uid() === ${Deno.uid()}) console.log("LEAK");`, { sys: ["uid"] }),
};

async function denoLeak(
  home: Home,
  source: string,
  permissions: Parameters<typeof denoProgram>[2],
  given: Partial<SandboxSpec> = {},
): Promise<string> {
  const made = await denoProgram(home.folder, source, permissions);
  const sandbox = await home.sandboxes.driver("deno").start(makeSpec({ ...made, ...given }));
  await sandbox.exited;
  return sandbox.log();
}

onDriver("deno", "what it is said not to stop is not stopped", async (t, home) => {
  const others = NOT_STOPPED.filter(({ suite }) => !suite).map(({ escape }) => escape);
  assert.deepEqual(Object.keys(DENO_LEAKS).sort(), [...others].sort());
  for (const [name, leak] of Object.entries(DENO_LEAKS)) {
    await t.step(name, async () => assert.match(await leak(home), /LEAK/));
  }
});

for (const driver of ["bubblewrap", "podman"] as const) {
  onDriver(
    driver,
    "a Deno program finds no programs of the machine and none of its folders",
    async (_, home) => {
      const source =
        `const names = (path) => { try { return [...Deno.readDirSync(path)].map(({ name }) => name); } catch { return []; } };
      console.log(JSON.stringify({ usr: names("/usr/bin"), root: names("/"), home: [...names("/home"), ...names("/root")], etc: names("/etc") }));`;
      const made = await denoProgram(home.folder, source, { read: ["/"] });
      const sandbox = await home.sandboxes.driver(driver).start(makeSpec(made));
      await sandbox.exited;
      const seen = JSON.parse(sandbox.log());
      assert.deepEqual([seen.usr, seen.home], [[], []]);
      assert.ok(
        seen.root.length > 3 &&
          !seen.root.some((name: string) => ["var", "work", "boot", "mnt", "srv"].includes(name)),
      );
      assert.ok(
        seen.etc.includes("passwd") && !seen.etc.includes("shadow") && !seen.etc.includes("machine-id"),
        seen.etc,
      );
    },
  );
}
