import { denoArgs } from "./deno_args.ts";
import type { EgressSockets } from "./egress/sockets.ts";
import type { HostDeno } from "./host_deno.ts";
import { INSIDE } from "./inside.ts";
import type { SandboxSpec } from "./spec.ts";

/** Whether the boot runs before the program: for every Deno program, and for others that reach outside. */
export function needsBoot(spec: SandboxSpec): boolean {
  return spec.program.kind === "deno" || spec.egress.length > 0;
}

/** The command that runs inside, for drivers with mounts. `deno` is the path inside of a Deno of that version. */
export function insideCommand(
  spec: SandboxSpec,
  egress: Pick<EgressSockets, "listens" | "proxy">,
  deno: { readonly command: readonly string[]; readonly version: string },
): string[] {
  const { program } = spec;
  if (program.kind === "deno") {
    const { version } = deno;
    return [
      ...deno.command,
      ...denoArgs(program, { spec, egress, version, boot: INSIDE.boot, guest: INSIDE.guest }),
    ];
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
