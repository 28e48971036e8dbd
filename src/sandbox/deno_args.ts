import { dirname, join } from "node:path";
import type { EgressSockets } from "./egress/sockets.ts";
import { BOOT_ENV, PROXY_LISTEN } from "./environment.ts";
import type { DenoProgram, SandboxSpec } from "./spec.ts";

/** What the arguments of a Deno depend on besides the program. */
export interface DenoArgsOptions {
  readonly spec: SandboxSpec;
  /** `2.9.6`; older ones know no permission for a unix socket as a destination. */
  readonly version: string;
  readonly boot: string;
  readonly guest: string;
  readonly egress: Pick<EgressSockets, "listens" | "proxy">;
  /** The socket from which the boot takes secrets, where they come that way. */
  readonly secretsSocket: string | undefined;
}

/** The arguments that run a program under Deno's own permissions, the boot before it (contract A.4). */
export function denoArgs(program: DenoProgram, options: DenoArgsOptions): string[] {
  const { spec } = options;
  const { config } = program;
  return [
    ...(program.command === "test" ? ["test", "--no-check"] : ["run"]),
    "--no-prompt",
    "--no-remote",
    "--cached-only",
    "--no-lock",
    ...(config === undefined ? ["--no-config"] : ["--config", configFile(config)]),
    `--v8-flags=--max-old-space-size=${heapMegabytes(spec.memoryBytes)}`,
    ...permissionFlags(program, options),
    "--preload",
    options.boot,
    program.entry,
    ...program.args,
  ];
}

/** The configuration file that a program names, itself or by its folder. */
export function configFile(config: string): string {
  return /\.jsonc?$/.test(config) ? config : join(config, "deno.json");
}

/** V8 collects more eagerly near its own limit, which should come before the sandbox's. */
function heapMegabytes(memoryBytes: number): number {
  return Math.max(64, Math.floor((memoryBytes / 1024 / 1024) * 0.75));
}

function permissionFlags(program: DenoProgram, options: DenoArgsOptions): string[] {
  const { permissions } = program;
  const read = [...permissions.read, dirname(program.entry), ...(program.config ? [program.config] : [])];
  const files = permissions.allFiles ? ["--allow-read", "--allow-write"] : [
    ...listFlag("read", [...new Set([...read, options.guest, ...bootSockets(options)])]),
    ...listFlag("write", [...permissions.write, ...bootSockets(options)]),
  ];
  const flags = [
    files,
    listFlag("run", permissions.run),
    permissions.env === true ? ["--allow-env"] : listFlag("env", [...permissions.env, ...BOOT_ENV]),
    listFlag("sys", permissions.sys),
    listFlag("net", netPermissions(program, options)),
  ];
  return flags.flat();
}

/** A list that is empty allows nothing; `--allow-x` without a list would allow all. */
function listFlag(name: string, values: readonly string[]): string[] {
  return values.length === 0
    ? []
    : [`--allow-${name}=${values.map((value) => value.replaceAll(",", ",,")).join(",")}`];
}

/** Destinations, loopback where asked for, and (from Deno 2.7 on) each socket that the spec names. */
function netPermissions(program: DenoProgram, options: DenoArgsOptions): string[] {
  const { spec, egress } = options;
  const hosts = spec.egress.map(({ host, port }) => `${bracketed(host)}:${port}`);
  const listens = egress.listens.map(({ listen, port }) => `${listen}:${port}`);
  const loopback = program.permissions.loopback ? ["127.0.0.1", "localhost", "[::1]"] : [];
  return [
    ...new Set([
      ...hosts,
      ...listens,
      ...(egress.proxy ? [PROXY_LISTEN] : []),
      ...loopback,
      ...(knowsUnixDestinations(options.version)
        ? socketsOf(program, options).map((socket) => `unix:${socket}`)
        : []),
    ]),
  ];
}

function socketsOf(program: DenoProgram, options: DenoArgsOptions): string[] {
  const { read, write } = program.permissions;
  const named = [...read, ...write, ...Object.values(options.spec.env)].filter((text) =>
    /^\/.*\.sock$/.test(text)
  );
  return [...named, ...bootSockets(options)];
}

function bootSockets({ egress, secretsSocket }: DenoArgsOptions): string[] {
  const sockets = [...egress.listens.map(({ socket }) => socket), egress.proxy, secretsSocket];
  return sockets.filter((socket) => socket !== undefined);
}

function knowsUnixDestinations(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 2 || (major === 2 && minor >= 7);
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
