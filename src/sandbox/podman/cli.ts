import { join } from "node:path";
import { HandlerError } from "../../base/mod.ts";
import { findProgram, run, type RunResult, wholeEnv, writeAtomic } from "../../platform/mod.ts";

/** Variables of the person's environment that podman itself needs; nothing of them reaches a container. */
const PASSED =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|LANG|XDG_.*|DBUS_SESSION_BUS_ADDRESS|CONTAINERS?_.*|_CONTAINERS_.*|REGISTRY_AUTH_FILE|DOCKER_CONFIG|PODMAN_.*|STORAGE_.*|HTTPS?_PROXY|NO_PROXY|https?_proxy|no_proxy|SSL_CERT_(FILE|DIR))$/;

/** The command `podman` as the driver calls it. */
export interface PodmanCli {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs it to its end; a failing exit code is a result. */
  call(
    args: readonly string[],
    options?: { readonly stdin?: Uint8Array; readonly timeoutMs?: number },
  ): Promise<RunResult>;
  /** Runs it and gives its output, or fails with what it said. */
  must(
    args: readonly string[],
    options?: { readonly stdin?: Uint8Array; readonly timeoutMs?: number },
  ): Promise<string>;
}

/** Finds podman. */
export async function findPodman(): Promise<PodmanCli> {
  const program = await findProgram("podman");
  if (!program) {
    throw new HandlerError("unavailable", "podman is not installed", {
      hint: "install it: apt install podman, dnf install podman, brew install podman",
    });
  }
  return podmanCli(program, passedEnv());
}

/** The same podman with a configuration of our own. */
export function withConfig(cli: PodmanCli, file: string): PodmanCli {
  return podmanCli(cli.program, { ...cli.env, CONTAINERS_CONF: file });
}

function podmanCli(program: string, env: Readonly<Record<string, string>>): PodmanCli {
  const call: PodmanCli["call"] = (args, options = {}) =>
    run([program, ...args], { env, timeoutMs: 60_000, ...options });
  return {
    program,
    env,
    call,
    async must(args, options) {
      const { code, stdout, stderr } = await call(args, options);
      if (code === 0) return stdout.trim();
      throw new HandlerError("unavailable", `podman ${args[0]} failed: ${lastLine(stderr)}`);
    },
  };
}

function passedEnv(): Record<string, string> {
  return Object.fromEntries(Object.entries(wholeEnv()).filter(([name]) => PASSED.test(name)));
}

/** The line of an error output that says what is wrong: the last that is no warning. */
export function lastLine(stderr: string): string {
  const lines = stderr.trim().split("\n").filter((line) => line !== "" && !/level=warning/.test(line));
  return lines.at(-1) ?? "";
}

/** A `containers.conf` that mends what keeps podman from starting containers on some machines. */
export interface ConfigVariant {
  readonly name: string;
  readonly text: string;
}

/** Configurations to try after podman's own, the mildest first. */
export async function configVariants(): Promise<readonly ConfigVariant[]> {
  const variants: ConfigVariant[] = [];
  for (const runtime of ["crun", "runc"]) {
    const path = await findProgram(runtime);
    if (!path) continue;
    const engine = `[engine]\nruntime = "${runtime}"\n`;
    variants.push({ name: runtime, text: engine });
    variants.push({ name: `${runtime}-cgroupfs`, text: `${engine}cgroup_manager = "cgroupfs"\n` });
  }
  return variants;
}

/** Writes a variant where podman finds it. */
export async function writeVariant(folder: string, variant: ConfigVariant): Promise<string> {
  const file = join(folder, `containers-${variant.name}.conf`);
  await writeAtomic(file, variant.text, 0o644);
  return file;
}
