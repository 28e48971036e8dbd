import { portHolder, tryPort } from "../platform/mod.ts";
import { type Check, failed, type Finding, ok, warning } from "./check.ts";

/** What {@linkcode networkChecks} needs. */
export interface NetworkParts {
  /** Where browsers find the desk and apps; 0 for any. */
  readonly port: number;
  /** The daemon that may have the port; undefined where none runs. */
  readonly daemonPid: number | undefined;
}

/** The port for browsers, and the loopback address of IPv6. */
export function networkChecks(parts: NetworkParts): readonly Check[] {
  return [
    { name: "port", run: () => port(parts) },
    { name: "IPv6 loopback", run: () => Promise.resolve(loopback()) },
  ];
}

async function port({ port, daemonPid }: NetworkParts): Promise<Finding> {
  if (port === 0) return ok("any free port is taken for browsers (HANDLER_PORT=0)");
  const states = [tryPort("127.0.0.1", port), tryPort("::1", port)];
  if (states[0] === "forbidden") {
    return failed(`the port ${port} may not be used by this user`, another(port));
  }
  if (!states.includes("taken")) return ok(`${port} is free for browsers`);
  const holder = await portHolder(port);
  if (holder && holder.pid === daemonPid) return ok(`${port} is handlerd's, for browsers`);
  const who = holder ? `${holder.program}, process ${holder.pid}` : "another user's program";
  return failed(`${port} is taken by ${who}, so no browser gets to the desk or an app`, another(port));
}

function another(port: number): string {
  const next = port < 65_000 ? port + 1 : 17_430;
  return `end that program, or start handlerd with HANDLER_PORT=${next}`;
}

function loopback(): Finding {
  if (tryPort("::1", 0) === "free") return ok("::1 is there");
  return warning("::1 is not there; browsers use 127.0.0.1", null);
}
