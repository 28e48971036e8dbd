import { env, findProgram, run, sessionBus, system } from "../platform/mod.ts";
import { type Check, type Finding, ok, warning } from "./check.ts";
import { installCommand, type Installer } from "./distribution.ts";

/** What the desktop gives: notifications and a keyring. */
export function desktopChecks(installer: Installer): readonly Check[] {
  if (system.os !== "linux") return [];
  return [
    { name: "notifications", run: () => notifications(installer) },
    { name: "keyring", run: () => keyring(installer) },
  ];
}

const NO_BUS = "handlerd must be started in the desktop's session, as `handler install` does";

async function notifications(installer: Installer): Promise<Finding> {
  const bus = await sessionBus();
  if (bus === undefined) {
    return warning("there is no session bus, so what is said stays in the inbox", NO_BUS);
  }
  const names = await busNames(bus);
  if (names === undefined) {
    return warning(
      "no program that can speak to the desktop is installed",
      installCommand("gdbus", installer),
    );
  }
  if (names.includes("org.freedesktop.Notifications")) return ok("what is said appears on the desktop");
  return warning("nothing on this desktop shows notifications, so what is said stays in the inbox", null);
}

async function keyring(installer: Installer): Promise<Finding> {
  const files = "secrets are kept in files that only you can read";
  if (!await findProgram("secret-tool")) {
    return warning(`no keyring can be asked: ${files}`, installCommand("secret-tool", installer));
  }
  const bus = env("DBUS_SESSION_BUS_ADDRESS");
  if (bus === undefined) return warning(`there is no session bus: ${files}`, NO_BUS);
  if ((await busNames(bus))?.includes("org.freedesktop.secrets")) {
    return ok("secrets are kept in the desktop's keyring");
  }
  return warning(`no keyring answers: ${files}`, installCommand("gnome-keyring", installer));
}

/** Names on the bus, those that would be started included; undefined where no program can ask. */
async function busNames(bus: string): Promise<readonly string[] | undefined> {
  const env = { DBUS_SESSION_BUS_ADDRESS: bus };
  const lists = ["ListNames", "ListActivatableNames"];
  const dbus = "org.freedesktop.DBus";
  const callers: Readonly<Record<string, (method: string) => readonly string[]>> = {
    gdbus: (
      method,
    ) => [
      "call",
      "--session",
      "--dest",
      dbus,
      "--object-path",
      "/org/freedesktop/DBus",
      "--method",
      `${dbus}.${method}`,
    ],
    busctl: (method) => ["--user", "call", dbus, "/org/freedesktop/DBus", dbus, method],
  };
  for (const [name, words] of Object.entries(callers)) {
    const program = await findProgram(name);
    if (!program) continue;
    const asked = lists.map((method) =>
      run([program, ...words(method)], { inheritEnv: true, env, timeoutMs: 4_000 })
    );
    const said = (await Promise.all(asked)).map(({ stdout }) => stdout).join(" ");
    return said.match(/[A-Za-z_][\w-]*(\.[\w-]+)+/g) ?? [];
  }
  return undefined;
}
