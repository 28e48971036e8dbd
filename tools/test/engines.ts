import { env, findProgram, readTextIfThere, run, statIfThere, userId } from "../../src/platform/mod.ts";

/** A program or file of the system that some tests need, and the packages that bring it on Debian. */
interface Engine {
  /** The name of a program, or the path of a file. */
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
  { program: "zsh", packages: ["zsh"], needed: "the completions of zsh" },
  { program: "fish", packages: ["fish"], needed: "the completions of fish" },
  { program: "script", packages: ["bsdutils"], needed: "the completions of any shell" },
  { program: "firefox-esr", packages: ["firefox-esr"], needed: "the windows of Firefox" },
  { program: "chromium", packages: ["chromium"], needed: "the windows of Chromium" },
  { program: "dbus-run-session", packages: ["dbus"], needed: "notices and shortcuts of the desktop" },
  { program: "gdbus", packages: ["libglib2.0-bin"], needed: "notices and shortcuts of the desktop" },
  { program: "busctl", packages: ["systemd"], needed: "notices by busctl" },
  { program: "notify-send", packages: ["libnotify-bin"], needed: "notices by notify-send" },
  {
    program: "/usr/share/glib-2.0/schemas/org.gnome.settings-daemon.plugins.media-keys.gschema.xml",
    packages: ["gnome-settings-daemon-common", "gsettings-desktop-schemas", "dconf-gsettings-backend"],
    needed: "the shortcuts of GNOME",
  },
  {
    program: "/usr/lib/python3/dist-packages/dbus/service.py",
    packages: ["python3-dbus", "python3-gi"],
    needed: "the notification service of the tests",
  },
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
  for (const engine of ENGINES) if (!await isThere(engine)) missing.push(engine);
  return missing;
}

async function isThere({ program }: Engine): Promise<boolean> {
  return program.startsWith("/")
    ? await statIfThere(program) !== undefined
    : await findProgram(program) !== undefined;
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
