import { env, findProgram, readTextIfThere, run, userId } from "../../src/platform/mod.ts";

/** A program of the system that some tests need, and the package that brings it on Debian. */
interface Engine {
  readonly program: string;
  readonly packages: readonly string[];
  readonly needed: string;
}

const ENGINES: readonly Engine[] = [
  {
    program: "podman",
    packages: ["podman", "runc", "slirp4netns", "fuse-overlayfs", "uidmap", "netavark"],
    needed: "the podman driver",
  },
  { program: "bwrap", packages: ["bubblewrap"], needed: "the bubblewrap driver" },
];

/** What is still missing after everything that may be installed was, one line for each, with the command that helps. */
export async function provideEngines(say: (line: string) => void): Promise<readonly string[]> {
  if (Deno.build.os !== "linux") return [];
  const missing = await missingEngines();
  if (missing.length > 0 && await mayInstall()) {
    await install(missing.flatMap((engine) => engine.packages), say);
  }
  return (await missingEngines()).map(({ program, packages, needed }) =>
    `${program} is missing, so ${needed} is not tested: sudo apt-get install ${packages.join(" ")}`
  );
}

async function missingEngines(): Promise<readonly Engine[]> {
  const missing: Engine[] = [];
  for (const engine of ENGINES) if (!await findProgram(engine.program)) missing.push(engine);
  return missing;
}

/** Only root on Debian or a relative of it, and nobody's machine is changed that says no. */
async function mayInstall(): Promise<boolean> {
  if (userId() !== 0 || env("HANDLER_TEST_INSTALL") === "no") return false;
  const release = await readTextIfThere("/etc/os-release") ?? "";
  return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(release) && await findProgram("apt-get") !== undefined;
}

async function install(packages: readonly string[], say: (line: string) => void): Promise<void> {
  say(`installing ${packages.join(" ")} (HANDLER_TEST_INSTALL=no leaves the machine as it is)`);
  const apt = (...args: string[]) =>
    run(["apt-get", "-q", ...args], {
      inheritEnv: true,
      env: { DEBIAN_FRONTEND: "noninteractive" },
      timeoutMs: 600_000,
    });
  await apt("update");
  const { code, stderr } = await apt("install", "-y", "--no-install-recommends", ...packages);
  if (code !== 0) say(`apt-get install ended with ${code}: ${stderr.trim().split("\n").at(-1)}`);
}
