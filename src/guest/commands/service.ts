import { errorText } from "../../base/mod.ts";
import {
  type GuestEnvironment,
  processEnvironment,
  servicesFolder,
  servicesHere,
  serviceSocket,
} from "./environment.ts";
import { Relay } from "./relay.ts";

const USAGE = `Usage: handler-service INTERFACE
       handler-service INTERFACE --agent AGENT

Relays MCP between this program's stdin and stdout and the service INTERFACE (for example: ocr).
An agent's MCP configuration names it as a stdio server: command "handler-service", args ["ocr"].
Outside any sandbox, --agent names an agent whose harness is external; handler connect sets a client up.
`;

/** The stdio bridge of an agent to one service. @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  return await runService(processEnvironment(args));
}

/**
 * As {@linkcode main}, for an agent outside any sandbox.
 * @param open gives the folder of the agent's sockets and opens them where they are not; asked again at each reconnect
 */
export async function mainFor(args: readonly string[], open: () => Promise<string>): Promise<number> {
  let folder = await open();
  const guest = processEnvironment(args);
  const variable = (name: string) => (name === "HANDLER_SERVICES" ? folder : guest.variable(name));
  return await runService({ ...guest, variable }, async () => void (folder = await open()));
}

/** As {@linkcode main}, in given surroundings; `prepare` is done before each connection. */
export async function runService(guest: GuestEnvironment, prepare?: () => Promise<unknown>): Promise<number> {
  const [name, ...more] = guest.args;
  if (name === "--help" || name === "-h") {
    guest.out(USAGE);
    return 0;
  }
  if (!name || name.startsWith("-") || more.length > 0) {
    guest.err(USAGE);
    return 2;
  }
  if (!serviceSocket(guest, name)) {
    guest.err(`handler-service: no service "${name}" here; ${listed(servicesHere(guest))}\n`);
    return 5;
  }
  return await relay(guest, name, prepare);
}

async function relay(
  guest: GuestEnvironment,
  name: string,
  prepare: (() => Promise<unknown>) | undefined,
): Promise<number> {
  const relaying = new Relay({
    stdin: guest.stdin,
    stdout: guest.stdout,
    connect: async () => {
      await prepare?.();
      return await Deno.connect({ transport: "unix", path: `${servicesFolder(guest)}/${name}.sock` });
    },
    retries: 50,
    pauseMs: 200,
    note: (text) => guest.err(`handler-service: ${text}\n`),
  });
  try {
    await relaying.run();
    return 0;
  } catch (error) {
    guest.err(`handler-service: handlerd cannot be reached: ${errorText(error)}\n`);
    return 3;
  }
}

/** The services of this sandbox in words. */
export function listed(names: readonly string[]): string {
  return names.length === 0 ? "this sandbox has no services" : `this sandbox has: ${names.join(", ")}`;
}
