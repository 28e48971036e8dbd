import { HandlerError } from "../base/mod.ts";
import type { MainConfig } from "../config/mod.ts";

/** Code that a sandbox is to be started for. */
export interface Confined {
  readonly kind: "connector" | "app" | "project";
  readonly name: string;
  /** Whether it came with Handler. */
  readonly shipped: boolean;
}

/**
 * Deno's permissions alone hold what ships with Handler; a connector of others, an app and the
 * definitions of a project, which an agent may have written, only where a person has asked for that in the configuration (contract A.2).
 *
 * @throws {HandlerError} `denied`
 */
export function askedForDeno({ kind, name, shipped }: Confined, main: MainConfig): void {
  if (shipped || main.sandbox === "deno" || main.denoDriverFor.includes(name)) return;
  throw new HandlerError(
    "denied",
    `the ${kind} ${name} was not started: only Deno's permissions are here to confine it, and nobody asked for that`,
    { hint: `install podman or bubblewrap, or write denoDriverFor = ["${name}"] into config.toml` },
  );
}
