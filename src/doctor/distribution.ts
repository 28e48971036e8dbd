import { readTextIfThere, system } from "../platform/mod.ts";

/** How programs are installed on this machine. */
export type Installer = "apt" | "dnf" | "pacman" | "zypper" | "apk" | "brew" | undefined;

/** A program by the names of the packages that have it; one without a name has its own. */
const PACKAGES: Readonly<Record<string, Partial<Record<Exclude<Installer, undefined>, string>>>> = {
  firefox: { apt: "firefox-esr", zypper: "MozillaFirefox" },
  "secret-tool": {
    apt: "libsecret-tools",
    dnf: "libsecret",
    pacman: "libsecret",
    zypper: "libsecret-tools",
    apk: "libsecret",
  },
  newuidmap: { apt: "uidmap", dnf: "shadow-utils", pacman: "shadow", zypper: "shadow", apk: "shadow-uidmap" },
  gdbus: { apt: "libglib2.0-bin", dnf: "glib2", pacman: "glib2", zypper: "glib2-tools", apk: "glib" },
};

const COMMANDS: Readonly<Record<Exclude<Installer, undefined>, string>> = {
  apt: "sudo apt install",
  dnf: "sudo dnf install",
  pacman: "sudo pacman -S",
  zypper: "sudo zypper install",
  apk: "sudo apk add",
  brew: "brew install",
};

const BY_ID: readonly (readonly [RegExp, Installer])[] = [
  [/^(debian|ubuntu|linuxmint|pop|raspbian|kali)$/, "apt"],
  [/^(fedora|rhel|centos|rocky|almalinux)$/, "dnf"],
  [/^(arch|manjaro|endeavouros)$/, "pacman"],
  [/^(opensuse.*|sles|suse)$/, "zypper"],
  [/^alpine$/, "apk"],
];

/** How `/etc/os-release` says that programs are installed: by its own name, else by those that it is like. */
export function installerOf(osRelease: string): Installer {
  const value = (key: string) => new RegExp(`^${key}="?([^"\\n]*)"?$`, "m").exec(osRelease)?.[1] ?? "";
  const names = [value("ID"), ...value("ID_LIKE").split(/\s+/)];
  for (const name of names) {
    const found = BY_ID.find(([pattern]) => pattern.test(name));
    if (found) return found[1];
  }
  return undefined;
}

/** The command that installs a program; words where the system's way is not known. */
export function installCommand(program: string, installer: Installer): string {
  if (installer === undefined) return `install ${program}`;
  return `${COMMANDS[installer]} ${PACKAGES[program]?.[installer] ?? program}`;
}

/** How programs are installed here. */
export async function installerHere(): Promise<Installer> {
  if (system.os === "darwin") return "brew";
  return installerOf(await readTextIfThere("/etc/os-release") ?? "");
}
