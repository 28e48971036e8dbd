import { HandlerError } from "../base/mod.ts";
import { findProgram, readTextIfThere, statIfThere, system, userId } from "../platform/mod.ts";
import { type DriverName, findControlGroups, imageStatus, type SandboxDriver } from "../sandbox/mod.ts";
import { type Check, failed, type Finding, inTime, late, type Named, ok, warning } from "./check.ts";
import { installCommand, type Installer } from "./distribution.ts";

/** What {@linkcode sandboxChecks} needs. */
export interface SandboxParts {
  /** What the configuration asks for. */
  readonly asked: "auto" | DriverName;
  driver(name: DriverName): SandboxDriver;
  /** The configuration's image. */
  readonly image: string | undefined;
  readonly installer: Installer;
  /** How long one driver may take to start something. */
  readonly limitMs: number;
}

const DRIVERS: readonly DriverName[] = ["podman", "bubblewrap", "deno"];

/** The drivers, each by starting something in it, and what they stand on. */
export function sandboxChecks(parts: SandboxParts): readonly Check[] {
  const linux: readonly Check[] = [
    { name: "user namespaces", run: () => namespaces(parts.installer) },
    { name: "limits", run: limits },
  ];
  return [
    { name: "sandboxes", run: () => drivers(parts) },
    { name: "image", run: () => image(parts) },
    ...(system.os === "linux" ? linux : []),
  ];
}

/** What became of trying one driver. */
interface Tried {
  readonly name: DriverName;
  readonly finding: Finding;
  readonly works: boolean;
}

async function drivers(parts: SandboxParts): Promise<readonly Named[]> {
  const tried = await Promise.all(DRIVERS.map((name) => tryDriver(parts, name)));
  const used = parts.asked === "auto" ? tried.find(({ works }) => works)?.name : parts.asked;
  return tried.map(({ name, finding, works }) => ({
    name: `sandbox ${name}${name === used ? " (used)" : ""}`,
    ...(works || finding.state === "late" ? finding : weighed(finding, { name, used, tried })),
  }));
}

async function tryDriver({ driver, limitMs, installer }: SandboxParts, name: DriverName): Promise<Tried> {
  const found = await inTime(limitMs, driver(name).probe());
  if (found === undefined) return { name, works: false, finding: late(limitMs) };
  if (!found.works) return { name, works: false, finding: failed(found.why, await remedy(name, installer)) };
  const open = driver(name).notStopped();
  const detail = open.length === 0
    ? "works; everything that is tried on it is stopped"
    : `works; it does not stop: ${open.join("; ")}`;
  return { name, works: true, finding: ok(detail) };
}

/** One that does not work matters as much as it is missed. */
function weighed(
  finding: Finding,
  { name, used, tried }: {
    readonly name: DriverName;
    readonly used: DriverName | undefined;
    readonly tried: readonly Tried[];
  },
): Finding {
  if (name === used) return finding;
  const strict = tried.some((one) => one.works && one.name !== "deno");
  if (strict) return ok(`does not work here, and is not needed: ${finding.detail}`);
  return { ...finding, state: used === undefined ? "failed" : "warning" };
}

const PROGRAMS: Readonly<Record<DriverName, string>> = {
  podman: "podman",
  bubblewrap: "bwrap",
  deno: "deno",
};

async function remedy(name: DriverName, installer: Installer): Promise<string | null> {
  if (name === "deno") return null; // the check of Deno itself says it
  if (!await findProgram(PROGRAMS[name])) return installCommand(name, installer);
  if (name === "bubblewrap") return "see user namespaces";
  return await missingIds(installer) ?? "podman run --rm --network=none must work for this user";
}

/** What podman without root needs to have more than one user inside. */
async function missingIds(installer: Installer): Promise<string | undefined> {
  if (system.os !== "linux" || userId() === 0) return undefined;
  if (!await findProgram("newuidmap")) return installCommand("newuidmap", installer);
  const ids = await readTextIfThere("/etc/subuid") ?? "";
  return ids.trim() === ""
    ? "sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $USER"
    : undefined;
}

async function image({ image, asked, installer }: SandboxParts): Promise<Finding> {
  const needed = asked === "podman";
  try {
    const { present, wanted } = await imageStatus({ named: image });
    if (present.length > 0) return ok(`${present[0]} is there`);
    const text = `podman has none of ${wanted.join(", ")}`;
    const hint = image === undefined ? "handler image build" : `podman pull ${image}`;
    return needed ? failed(text, hint) : warning(text, hint);
  } catch (error) {
    if (!(error instanceof HandlerError)) throw error;
    const hint = installCommand("podman", installer);
    return needed ? failed(error.message, hint) : ok(`without podman none is needed: ${error.message}`);
  }
}

const KERNEL = "/proc/sys";

async function namespaces(installer: Installer): Promise<Finding> {
  const [most, cloned, restricted] = await Promise.all([
    kernelValue("user/max_user_namespaces"),
    kernelValue("kernel/unprivileged_userns_clone"),
    kernelValue("kernel/apparmor_restrict_unprivileged_userns"),
  ]);
  if (userId() === 0) return ok("handlerd runs as root, which may make them");
  if (most === "0") return failed("user.max_user_namespaces is 0", sysctl("user.max_user_namespaces=15000"));
  if (cloned === "0") {
    return failed("kernel.unprivileged_userns_clone is 0", sysctl("kernel.unprivileged_userns_clone=1"));
  }
  if (restricted === "1" && !await statIfThere("/etc/apparmor.d/bwrap-userns-restrict")) {
    return warning(
      "AppArmor keeps them from programs without a profile of their own, such as bubblewrap",
      installer === "apt"
        ? "sudo apt install apparmor-profiles && " +
          "sudo cp /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && " +
          "sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict"
        : sysctl("kernel.apparmor_restrict_unprivileged_userns=0"),
    );
  }
  return ok("this user may make them");
}

async function kernelValue(path: string): Promise<string | undefined> {
  return (await readTextIfThere(`${KERNEL}/${path}`).catch(() => undefined))?.trim();
}

/** For now and for every start of the machine. */
function sysctl(setting: string): string {
  return `echo ${setting} | sudo tee /etc/sysctl.d/60-handler.conf && sudo sysctl --system`;
}

async function limits(): Promise<Finding> {
  const groups = await findControlGroups(`doctor-${crypto.randomUUID().slice(0, 8)}`);
  if (groups) {
    return ok(`the kernel holds memory and process limits (control groups, version ${groups.version})`);
  }
  return warning(
    "no control group can be made here, so bubblewrap's limits on memory and processes are watched instead of held",
    "run handlerd in a session of systemd: handler install",
  );
}
