import { HandlerError } from "../base/mod.ts";
import type { MainConfig } from "../config/mod.ts";
import type { Connector } from "../services/mod.ts";

/**
 * Deno's permissions alone hold what ships with Handler; a connector of others only where a person has asked for that in
 * the configuration (contract A.2).
 *
 * @throws {HandlerError} `denied`
 */
export function askedForDeno(connector: Pick<Connector, "name" | "origin">, main: MainConfig): void {
  const { name, origin } = connector;
  if (origin === "shipped" || main.sandbox === "deno" || main.denoDriverFor.includes(name)) return;
  throw new HandlerError(
    "denied",
    `the connector ${name} was not started: only Deno's permissions are here to confine it, and nobody asked for that`,
    { hint: `install podman or bubblewrap, or write denoDriverFor = ["${name}"] into config.toml` },
  );
}
