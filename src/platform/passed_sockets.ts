import { HandlerError } from "../base/mod.ts";
import { env } from "./env.ts";

/**
 * Refuses listening sockets that a service manager hands over as open descriptors (sd_listen_fds). Nothing in Deno marks
 * such a descriptor to be closed in programs that are started, and bubblewrap hands what it inherits on: an agent in its
 * sandbox could take the connections that are meant for the daemon.
 *
 * @throws {HandlerError} `usage` where this process was given some
 */
export function refusePassedSockets(): void {
  const count = Number(env("LISTEN_FDS") ?? 0);
  if (Number(env("LISTEN_PID")) !== Deno.pid || !(count > 0)) return;
  throw new HandlerError(
    "usage",
    `handlerd takes no sockets from its service manager, found LISTEN_FDS=${count}`,
    {
      hint: "a proxy of the manager's own listens for it in the units that `handler install` writes",
    },
  );
}
