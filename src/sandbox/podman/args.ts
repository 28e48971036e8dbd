import { HandlerError } from "../../base/mod.ts";
import type { Box } from "../boxes.ts";
import { EGRESS_INSIDE } from "../egress/sockets.ts";
import type { HostDeno } from "../host_deno.ts";
import { INSIDE } from "../inside.ts";
import { dataLimit } from "../limits/guard.ts";
import type { Mount, SandboxSpec } from "../spec.ts";
import { CONFINEMENT, type PodmanSetup, userFlags } from "./setup.ts";

/** Where the host's Deno and its libraries are seen in an image that has none. */
const LIBRARIES = "/opt/handler/lib";

/** What the arguments of a container are made from. */
export interface ContainerInput {
  readonly spec: SandboxSpec;
  readonly setup: PodmanSetup;
  readonly container: string;
  readonly box: Box;
  /** Whether there are sockets for the sandbox in the box: egress or secrets. */
  readonly sockets: boolean;
  readonly guestFolder: string | undefined;
  /** The host's Deno, where it is mounted. */
  readonly deno: HostDeno | undefined;
  /** The host's own folders of programs, for agents without an image. */
  readonly system: readonly Mount[];
  readonly env: Readonly<Record<string, string>>;
  /** Names of podman secrets by variable. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

/** The arguments of `podman create`. No secret stands in them. */
export function containerArgs(input: ContainerInput): string[] {
  const { spec, setup, container, command } = input;
  const [entrypoint, ...rest] = command;
  if (!entrypoint) throw new HandlerError("usage", `the sandbox ${spec.name} has no command to run`);
  return [
    ...["--name", container, "--hostname", spec.name],
    ...[...CONFINEMENT, ...setup.seccomp],
    ...userFlags(setup.user),
    ...(setup.init ? ["--init"] : []),
    ...limitFlags(spec, setup),
    ...["--log-driver=passthrough", ...(spec.stdinFifo ? ["--interactive"] : [])],
    ...["--tmpfs", `/tmp:rw,nosuid,nodev,mode=1777,size=${Math.floor(spec.memoryBytes / 2)}`],
    ...["--workdir", spec.cwd],
    ...mountsOf(input).flatMap(mountFlag),
    ...Object.entries(input.labels).flatMap(([name, value]) => ["--label", `${name}=${value}`]),
    ...Object.entries(input.env).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
    ...Object.entries(input.secrets).flatMap((
      [name, secret],
    ) => ["--secret", `${secret},type=env,target=${name}`]),
    ...["--entrypoint", JSON.stringify([entrypoint]), spec.image ?? setup.image, ...rest],
  ];
}

function limitFlags(spec: SandboxSpec, { limits }: PodmanSetup): string[] {
  const { memoryBytes, pids, cpus } = spec;
  if (!limits) return [`--ulimit=data=${dataLimit(spec)}:${dataLimit(spec)}`];
  return [
    ...[`--memory=${memoryBytes}b`, `--memory-swap=${memoryBytes}b`, `--pids-limit=${pids}`],
    ...(cpus === undefined ? [] : [`--cpus=${cpus}`]),
  ];
}

/** In order, so that a later one may lie inside an earlier; a target stands once, the spec's own being the last word. */
function mountsOf(input: ContainerInput): readonly Mount[] {
  const { spec, box, guestFolder, deno } = input;
  const hosts = Object.entries(box.etc).filter(([target]) =>
    spec.image === undefined || !/passwd|group/.test(target)
  );
  const all: Mount[] = [
    ...input.system,
    ...hosts.map(([target, source]): Mount => ({ source, target, mode: "ro" })),
    ...(guestFolder ? [{ source: guestFolder, target: INSIDE.guest, mode: "ro" } as const] : []),
    ...(input.sockets ? [{ source: box.egress, target: EGRESS_INSIDE, mode: "ro" } as const] : []),
    ...(deno ? denoMounts(deno) : []),
    ...spec.mounts,
  ];
  return [...new Map(all.map((mount) => [mount.target, mount])).values()];
}

function denoMounts(deno: HostDeno): Mount[] {
  const libraries = deno.libraries.map(({ path, file }): Mount => ({
    source: file,
    target: `${LIBRARIES}/${path.split("/").at(-1)}`,
    mode: "ro",
  }));
  return [{ source: deno.path, target: INSIDE.deno, mode: "ro" }, ...libraries];
}

/** The words that start the host's Deno in any image: its own loader with its own libraries. */
export function denoByLoader(deno: HostDeno): string[] {
  const names = deno.libraries.map(({ path }) => path.split("/").at(-1)!);
  const loader = names.find((name) => /^ld-(linux|musl)/.test(name));
  return loader ? [`${LIBRARIES}/${loader}`, "--library-path", LIBRARIES, INSIDE.deno] : [INSIDE.deno];
}

function mountFlag({ source, target, mode }: Mount): string[] {
  for (const path of [source, target]) {
    if (/[,"\n]/.test(path)) {
      throw new HandlerError(
        "usage",
        `podman mounts no path with a comma, a quote or a line break: ${JSON.stringify(path)}`,
      );
    }
  }
  return [
    "--mount",
    `type=bind,source=${source},target=${target},bind-propagation=rprivate${mode === "ro" ? ",ro=true" : ""}`,
  ];
}
