import { dirname } from "node:path";
import type { Box } from "../boxes.ts";
import { EGRESS_INSIDE } from "../egress/sockets.ts";
import { INSIDE } from "../inside.ts";
import type { Library } from "../libraries.ts";
import type { SandboxSpec } from "../spec.ts";
import type { SystemFolder } from "../system_folders.ts";

/** What this bubblewrap can do. */
export interface Features {
  /** From 0.8 on: a size for a tmpfs, and no further user namespaces inside. */
  readonly sizesAndNoUserNamespaces: boolean;
}

/**
 * Parts of `/proc` that are the whole machine's. A daemon that runs as root shares its user with what is inside, and the
 * kernel lets that user write many of them without any capability.
 */
export interface KernelFiles {
  readonly readOnlyPaths: readonly string[];
  readonly emptyFiles: readonly string[];
  readonly emptyFolders: readonly string[];
}

/** What the arguments are made from. */
export interface ArgsInput {
  readonly spec: SandboxSpec;
  readonly box: Box;
  readonly egressFolder: string | undefined;
  /** Handler's guest programs on the host; undefined where the program needs none. */
  readonly guestFolder: string | undefined;
  /** The host's Deno and what it loads. */
  readonly deno: { readonly path: string; readonly libraries: readonly Library[] } | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly features: Features;
  /** Whether a seccomp filter stands ready at descriptor 7. */
  readonly filtered: boolean;
  /** Whether an outer bubblewrap has made the network namespace already. */
  readonly nested: boolean;
  /** The host's own folders of programs, as they are on this machine, for agents. */
  readonly system: readonly SystemFolder[];
  readonly kernel: KernelFiles;
}

/** The arguments that bubblewrap reads from a pipe, so that no secret stands in a command line. */
export function bubblewrapArgs(input: ArgsInput): string[] {
  const { spec, nested, features } = input;
  return [
    ...(nested ? ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"] : ["--unshare-all"]),
    ...["--unshare-user", "--unshare-cgroup-try"],
    ...(features.sizesAndNoUserNamespaces ? ["--disable-userns"] : []),
    ...["--uid", String(INSIDE.uid), "--gid", String(INSIDE.gid), "--hostname", spec.name],
    ...["--cap-drop", "ALL", "--new-session", ...(input.filtered ? ["--seccomp", "7"] : [])],
    ...(nested || !spec.outlivesDaemon ? ["--die-with-parent"] : []),
    ...fileSystem(input),
    ...["--chdir", spec.cwd, "--remount-ro", "/"],
    ...["--clearenv", ...Object.entries(input.env).flatMap(([name, value]) => ["--setenv", name, value])],
  ];
}

function fileSystem(input: ArgsInput): string[] {
  const { spec, box, features } = input;
  const half = String(Math.floor(spec.memoryBytes / 2));
  const tmpfs = (
    path: string,
  ) => [...(features.sizesAndNoUserNamespaces ? ["--size", half] : []), "--tmpfs", path];
  return [
    ...["--proc", "/proc", ...kernelFiles(input.kernel)],
    ...["--dev", "/dev", ...tmpfs("/dev/shm"), "--remount-ro", "/dev"],
    ...["--perms", "1777", ...tmpfs("/tmp")],
    ...input.system.flatMap((folder) =>
      folder.kind === "link" ? ["--symlink", folder.target, folder.path] : readOnly(folder.path, folder.path)
    ),
    ...denoFiles(input),
    ...Object.entries(box.etc).flatMap(([inside, file]) => readOnly(file, inside)),
    ...(input.guestFolder ? readOnly(input.guestFolder, INSIDE.guest) : []),
    ...(input.egressFolder ? readOnly(input.egressFolder, EGRESS_INSIDE) : []),
    ...spec.mounts.flatMap(({ source, target, mode }) =>
      mode === "ro" ? readOnly(source, target) : ["--bind", source, target]
    ),
  ];
}

function kernelFiles({ emptyFiles, emptyFolders, readOnlyPaths }: KernelFiles): string[] {
  return [
    ...readOnlyPaths.flatMap((path) => readOnly(path, path)),
    ...emptyFiles.flatMap((path) => readOnly("/dev/null", path)),
    ...emptyFolders.flatMap((path) => ["--tmpfs", path, "--remount-ro", path]),
  ];
}

/** The Deno and, where the host's folders are not there, each of its libraries alone. */
function denoFiles({ deno, system }: ArgsInput): string[] {
  if (!deno) return [];
  const there = (path: string) => system.some((folder) => path.startsWith(folder.path + "/"));
  const libraries = deno.libraries.filter(({ path }) => !there(path));
  return [
    ...readOnly(deno.path, INSIDE.deno),
    ...libraries.flatMap(({ file, path }) => ["--dir", dirname(path), ...readOnly(file, path)]),
  ];
}

function readOnly(source: string, target: string): string[] {
  return ["--ro-bind", source, target];
}
