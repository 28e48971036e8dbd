import { join } from "node:path";
import { silentLogger, systemClock } from "../../src/base/mod.ts";
import {
  buildImage,
  createSandboxes,
  type DriverName,
  type EgressRecord,
  imageStatus,
  type Sandboxes,
  type SandboxesOptions,
  type SandboxSpec,
} from "../../src/sandbox/mod.ts";

/** A home of its own for one test, gone at its end. */
export interface Home extends AsyncDisposable {
  readonly folder: string;
  readonly sandboxes: Sandboxes;
  readonly records: EgressRecord[];
  /** A second daemon over the same home. */
  again(): Sandboxes;
}

const ROOT = new URL("../../", import.meta.url).pathname;
let bundle: Promise<string> | undefined;

/** A folder with the bundled guest boot. */
export function guestFolder(): Promise<string> {
  return bundle ??= (async () => {
    const folder = await Deno.makeTempDir({ prefix: "handler-guest-" });
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["bundle", "-q", "-o", join(folder, "boot.js"), join(ROOT, "src/guest/boot/main.ts")],
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
    return folder;
  })();
}

/** Makes a home; `config` and other options may be given. */
export async function makeHome(options: Partial<SandboxesOptions> = {}): Promise<Home> {
  const folder = await Deno.makeTempDir({ prefix: "hs-" });
  const records: EgressRecord[] = [];
  const made: SandboxesOptions = {
    log: silentLogger,
    clock: systemClock,
    runtimeFolder: join(folder, "run"),
    stateFolder: join(folder, "state"),
    instanceId: "test",
    config: { sandbox: "auto", image: undefined, egress: { caFile: undefined, dial: {} } },
    deno: Deno.execPath(),
    guestFolder: await guestFolder(),
    onConnect: () => () => {},
    onEgress: (record) => records.push(record),
    ...options,
  };
  const sandboxes = createSandboxes(made);
  return {
    folder,
    sandboxes,
    records,
    again: () => createSandboxes(made),
    async [Symbol.asyncDispose]() {
      await createSandboxes(made).reap([]);
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** A spec that differs from the plainest in what is given. */
export function makeSpec(given: Partial<SandboxSpec> & Pick<SandboxSpec, "program">): SandboxSpec {
  return {
    name: `t-${crypto.randomUUID().slice(0, 8)}`,
    kind: "test",
    env: {},
    secretEnv: {},
    mounts: [],
    cwd: "/tmp",
    egress: [],
    memoryBytes: 512 << 20,
    pids: 256,
    outlivesDaemon: false,
    labels: {},
    ...given,
  };
}

/** A folder of the host with one Deno program in it, as a mount and as the program that runs it. */
export async function denoProgram(
  folder: string,
  source: string,
  permissions: Partial<Extract<SandboxSpec["program"], { kind: "deno" }>["permissions"]> = {},
): Promise<Pick<SandboxSpec, "program" | "mounts">> {
  const code = await Deno.makeTempDir({ dir: folder, prefix: "code-" });
  await Deno.writeTextFile(join(code, "main.ts"), source);
  return {
    program: {
      kind: "deno",
      entry: "/opt/handler/code/main.ts",
      args: [],
      permissions: { read: [], write: [], run: [], env: true, sys: [], loopback: false, ...permissions },
    },
    mounts: [{ source: code, target: "/opt/handler/code", mode: "ro" }],
  };
}

/**
 * A test that needs a driver. Where it does not work on this machine the test is ignored with the reason, except under
 * `CI=true`, where it fails and says how to install it.
 */
export function onDriver(
  driver: DriverName,
  name: string,
  test: (t: Deno.TestContext, home: Home) => Promise<void>,
  options: Partial<SandboxesOptions> = {},
): void {
  const missing = MISSING[driver];
  const ignore = missing !== undefined && Deno.env.get("CI") !== "true";
  Deno.test({
    name: `${driver}: ${name}${missing ? ` (${missing})` : ""}`,
    ignore,
    async fn(t) {
      if (missing) throw new Error(missing);
      await using home = await makeHome(options);
      await test(t, home);
    },
  });
}

const MISSING = await findMissing();

async function findMissing(): Promise<Record<DriverName, string | undefined>> {
  await using home = await makeHome();
  const names = ["podman", "bubblewrap", "deno"] as const;
  const image = await imageStatus({ named: undefined }).catch(() => undefined);
  if (image?.present.length === 0) await buildImage({ deno: Deno.execPath() }).catch(() => {});
  const found = await Promise.all(names.map(async (name) => {
    const probe = await home.sandboxes.driver(name).probe();
    return [name, probe.works ? undefined : probe.why];
  }));
  return Object.fromEntries(found);
}
