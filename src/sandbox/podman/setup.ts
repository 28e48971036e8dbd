import { join } from "node:path";
import { DENO_VERSION, HandlerError, RUNTIME_IMAGE } from "../../base/mod.ts";
import { ensureFolder, readTextIfThere, system, userId, writeAtomic } from "../../platform/mod.ts";
import { INSIDE } from "../inside.ts";
import { narrowedProfile } from "../seccomp/profile.ts";
import { configVariants, findPodman, lastLine, type PodmanCli, withConfig, writeVariant } from "./cli.ts";

/** The image that `handler image build` makes. */
export const LOCAL_IMAGE = `localhost/handler-runtime:${DENO_VERSION}`;

/** How containers are started on this machine, found by starting one. */
export interface PodmanSetup {
  readonly cli: PodmanCli;
  /** The runtime image. */
  readonly image: string;
  /** The version of the image's Deno. */
  readonly denoVersion: string;
  /** The flags that make the user inside: an own user namespace where that works. */
  readonly user: UserMode;
  /** Whether the kernel holds memory and process limits. */
  readonly limits: boolean;
  /** The flag of a narrower seccomp profile than the engine's own; nothing where the engine's is not known. */
  readonly seccomp: readonly string[];
  /** Whether an init process can stand before the program (catatonit). */
  readonly init: boolean;
}

/** Who the program is inside, and who that is on the host. */
export type UserMode = "mapped" | "keep-id" | "root";

/** The flags of a user mode. */
export function userFlags(mode: UserMode): string[] {
  const { uid, gid } = INSIDE;
  switch (mode) {
    case "keep-id":
      return [`--userns=keep-id:uid=${uid},gid=${gid}`];
    case "mapped": // the daemon's own user is 1000 inside, and nobody else of the host is anybody there
      return [
        ...["--uidmap", `${uid}:0:1`, "--uidmap", `0:100000:${uid}`],
        ...["--gidmap", `${gid}:0:1`, "--gidmap", `0:100000:${gid}`, "--user", `${uid}:${gid}`],
      ];
    case "root":
      return ["--user", "0:0"];
  }
}

/** What every container has, whatever it runs (contract A.1). */
export const CONFINEMENT: readonly string[] = [
  "--network=none",
  "--read-only",
  "--read-only-tmpfs=false",
  "--cap-drop=all",
  "--security-opt=no-new-privileges",
  "--security-opt=mask=/proc/pressure", // besides what every engine masks
  "--pull=never",
  "--no-hosts",
  "--http-proxy=false",
  "--systemd=false",
  "--sdnotify=ignore",
  "--ulimit=core=0:0", // the next two: podman's own defaults are more than some users may set
  "--ulimit=nofile=4096:4096",
  "--ulimit=nproc=4096:4096",
  "--sysctl=net.ipv4.ip_unprivileged_port_start=0",
];

/** Finds how podman starts containers here: its own configuration, else one of ours; the user; limits; init. */
export async function findSetup(
  options: { readonly image: string | undefined; readonly folder: string },
): Promise<PodmanSetup> {
  if (system.os !== "linux") {
    throw new HandlerError(
      "unavailable",
      "podman runs in a virtual machine here, which passes no unix sockets",
      {
        hint: "its sandboxes need them; run Handler on Linux for podman",
      },
    );
  }
  const found = await findPodman();
  const image = await findImage(found, options.image);
  await ensureFolder(options.folder);
  const seccomp = await writeProfile(options.folder);
  const best: Mode = { user: userId() === 0 ? "mapped" : "keep-id", limits: true, init: true };
  let last = "";
  for await (const cli of configurations(found, options.folder)) {
    const whole = await tryStart(cli, image, seccomp, best);
    if ("version" in whole) return { cli, image, seccomp, denoVersion: whole.version, ...best };
    const plain = await tryStart(cli, image, seccomp, PLAINEST());
    if ("version" in plain) {
      return {
        cli,
        image,
        seccomp,
        denoVersion: plain.version,
        ...await improved(cli, image, seccomp, best),
      };
    }
    last = plain.failed;
  }
  throw new HandlerError("unavailable", `podman starts no container here: ${last}`, {
    hint: "podman run --rm --network=none must work for this user",
  });
}

/** What may differ from machine to machine. */
type Mode = Pick<PodmanSetup, "user" | "limits" | "init">;

/** Root's containers are never without limits: there it always works. */
const PLAINEST = (): Mode =>
  userId() === 0
    ? { user: "root", limits: true, init: false }
    : { user: "keep-id", limits: false, init: false };

/** From a mode that works towards the best, one step after the other. */
async function improved(
  cli: PodmanCli,
  image: string,
  seccomp: readonly string[],
  best: Mode,
): Promise<Mode> {
  let mode = PLAINEST();
  for (const step of [{ init: best.init }, { limits: best.limits }, { user: best.user }]) {
    const next = { ...mode, ...step };
    if (
      JSON.stringify(next) !== JSON.stringify(mode) && "version" in await tryStart(cli, image, seccomp, next)
    ) {
      mode = next;
    }
  }
  return mode;
}

async function* configurations(cli: PodmanCli, folder: string): AsyncIterable<PodmanCli> {
  yield cli;
  for (const variant of await configVariants()) yield withConfig(cli, await writeVariant(folder, variant));
}

async function tryStart(
  cli: PodmanCli,
  image: string,
  seccomp: readonly string[],
  attempt: Mode,
): Promise<{ readonly version: string } | { readonly failed: string }> {
  const flags = [
    "run",
    "--rm",
    ...CONFINEMENT,
    ...seccomp,
    ...userFlags(attempt.user),
    ...limitFlags(attempt),
  ];
  const argv = [
    ...flags,
    "--log-driver=passthrough",
    "--tmpfs=/tmp",
    "--entrypoint=/bin/deno",
    image,
    "--version",
  ];
  const { code, stdout, stderr } = await cli.call(argv, { timeoutMs: 60_000 });
  const version = /deno (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  if (attempt.limits && /limits are not supported/i.test(stderr)) return { failed: lastLine(stderr) };
  return code === 0 && version ? { version } : { failed: lastLine(stderr) || `exit code ${code}` };
}

function limitFlags({ limits, init }: Pick<PodmanSetup, "limits" | "init">): string[] {
  return [
    ...(limits ? ["--memory=256m", "--memory-swap=256m", "--pids-limit=64"] : []),
    ...(init ? ["--init"] : []),
  ];
}

const PROFILES = ["/etc/containers/seccomp.json", "/usr/share/containers/seccomp.json"];

async function writeProfile(folder: string): Promise<readonly string[]> {
  for (const path of PROFILES) {
    const text = await readTextIfThere(path);
    const narrowed = text === undefined ? undefined : narrowedProfile(text);
    if (narrowed === undefined) continue;
    const file = join(folder, "seccomp.json");
    await writeAtomic(file, narrowed, 0o644);
    return [`--security-opt=seccomp=${file}`];
  }
  return [];
}

/** The image of the configuration, else the pinned one, else the one made here, whichever is there. */
async function findImage(cli: PodmanCli, named: string | undefined): Promise<string> {
  const wanted = named === undefined ? [RUNTIME_IMAGE, LOCAL_IMAGE] : [named];
  for (const image of wanted) {
    if ((await cli.call(["image", "exists", image])).code === 0) return image;
  }
  throw new HandlerError("unavailable", `podman has no image to run sandboxes in (${wanted.join(", ")})`, {
    hint: named === undefined ? "run `handler image build`, or `handler image pull`" : `podman pull ${named}`,
  });
}
