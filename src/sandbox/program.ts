import { denoArgs } from "./deno_args.ts";
import type { EgressSockets } from "./egress/sockets.ts";
import type { HostDeno } from "./host_deno.ts";
import { INSIDE } from "./inside.ts";
import type { SandboxSpec } from "./spec.ts";

/** Whether the boot runs before the program: for every Deno program, and for others that reach outside. */
export function needsBoot(spec: SandboxSpec): boolean {
  return spec.program.kind === "deno" || spec.egress.length > 0;
}

/** Whether the host's own folders of programs are seen inside: for agents, commands, and what starts others. */
export function needsSystem(spec: SandboxSpec): boolean {
  const { program } = spec;
  return spec.kind === "agent" || program.kind === "argv" || program.permissions.run.length > 0;
}

/** The command that runs inside, for drivers with mounts. `deno` is the path inside of a Deno of that version. */
export function insideCommand(
  spec: SandboxSpec,
  ways: Pick<EgressSockets, "listens" | "proxy"> & { readonly secretsSocket: string | undefined },
  deno: { readonly command: readonly string[]; readonly version: string },
): string[] {
  const { program } = spec;
  if (program.kind === "deno") {
    const { secretsSocket } = ways;
    const inside = { boot: INSIDE.boot, guest: INSIDE.guest, version: deno.version };
    return [...deno.command, ...denoArgs(program, { spec, egress: ways, secretsSocket, ...inside })];
  }
  if (!needsBoot(spec)) return [...program.argv];
  return [
    ...deno.command,
    "run",
    "-A",
    "--no-prompt",
    "--no-config",
    "--no-lock",
    INSIDE.boot,
    ...program.argv,
  ];
}

/** The host's Deno where it is mounted at its place inside. */
export function mountedDeno(
  deno: HostDeno,
): { readonly command: readonly string[]; readonly version: string } {
  return { command: [INSIDE.deno], version: deno.version };
}
