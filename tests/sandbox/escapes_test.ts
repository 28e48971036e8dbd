import assert from "node:assert/strict";
import { join } from "node:path";
import type { DriverName, SandboxSpec } from "../../src/sandbox/mod.ts";
import { INSIDE } from "../../src/sandbox/mod.ts";
import { NOT_STOPPED } from "../../src/sandbox/deno/not_stopped.ts";
import { type Escape, ESCAPES } from "./escapes.ts";
import { type Home, makeSpec, onDriver } from "./support.ts";

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
    timeoutMs: 20_000,
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
