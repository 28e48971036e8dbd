import type { Mount, SandboxSpec } from "../spec.ts";

/**
 * Renames paths inside to paths of the host, for the driver that has no mounts: the target that lies closest above a
 * path counts.
 */
export class Renamer {
  readonly #mounts: readonly Mount[];

  constructor(mounts: readonly Mount[]) {
    const trimmed = mounts.map((mount) => ({ ...mount, target: mount.target.replace(/(.)\/+$/, "$1") }));
    this.#mounts = trimmed.sort((a, b) => b.target.length - a.target.length);
  }

  /** The path of the host; the path itself where no mount is above it. */
  path(inside: string): string {
    return this.#find(inside)?.path ?? inside;
  }

  /** The path of the host; undefined where no mount is above it, so that there is nothing inside. */
  pathIfMounted(inside: string): string | undefined {
    return this.#find(inside)?.path;
  }

  /** A word of a command line or a variable: renamed where it is a path below a mount, also behind `file://`. */
  word(text: string): string {
    if (text.startsWith("file:///")) return "file://" + this.path(text.slice("file://".length));
    return text.startsWith("/") ? this.path(text) : text;
  }

  /**
   * What a permission for a path inside comes to on the host: the path below its mount, and every mount below the
   * path. `write` leaves out what is mounted read-only; what is not mounted is nothing.
   */
  permitted(inside: string, access: "read" | "write"): readonly string[] {
    const allowed = ({ mode }: Mount) => access === "read" || mode === "rw";
    const above = this.#find(inside);
    const below = this.#mounts.filter(({ target }) => isBelow(target, inside) && target !== inside).filter(
      allowed,
    );
    return [...(above && allowed(above.mount) ? [above.path] : []), ...below.map(({ source }) => source)];
  }

  #find(inside: string): { readonly mount: Mount; readonly path: string } | undefined {
    const mount = this.#mounts.find(({ target }) => isBelow(inside, target));
    return mount &&
      { mount, path: mount.source.replace(/(.)\/+$/, "$1") + inside.slice(mount.target.length) };
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : folder + "/");
}

/** A spec as the host sees it: paths in the program, its permissions, the variables and the folder renamed. */
export function renamedSpec(spec: SandboxSpec, renamer: Renamer): SandboxSpec {
  const { program } = spec;
  if (program.kind !== "deno") return spec;
  const { permissions } = program;
  const paths = (list: readonly string[], access: "read" | "write") =>
    list.flatMap((path) => renamer.permitted(path, access));
  const env = Object.entries(spec.env).map(([name, value]) => [name, renamer.word(value)]);
  return {
    ...spec,
    cwd: renamer.path(spec.cwd),
    env: Object.fromEntries(env),
    program: {
      ...program,
      entry: renamer.path(program.entry),
      args: program.args.map((arg) => renamer.word(arg)),
      ...(program.config === undefined ? {} : { config: renamer.path(program.config) }),
      permissions: {
        ...permissions,
        loopback: false, // it would be the host's own
        allFiles: false,
        read: paths(permissions.read, "read"),
        write: paths(permissions.write, "write"),
        run: permissions.run.map((path) => renamer.word(path)),
      },
    },
  };
}
