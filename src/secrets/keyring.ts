import { type Clock, HandlerError } from "../base/mod.ts";
import { env, findProgram } from "../platform/mod.ts";
import { fromCommand } from "./command.ts";
import type { Found } from "./reference.ts";

/** The desktop's keyring, as far as secrets need it. */
export interface Keyring {
  /** Whether the value was taken and could be read back. */
  store(name: string, value: Uint8Array): Promise<boolean>;
  lookup(name: string): Promise<Found>;
  clear(name: string): Promise<void>;
}

/**
 * The keyring behind `secret-tool`, where that program is there and a session bus is named. Values go through its
 * standard input; only their names, and the folder that tells one Handler from another, are arguments.
 */
export async function findKeyring(clock: Clock, dataFolder: string): Promise<Keyring | undefined> {
  const tool = await findProgram("secret-tool");
  if (!tool || !env("DBUS_SESSION_BUS_ADDRESS")) return undefined;
  const attributes = (name: string) => ["service", "handler-ai", "folder", dataFolder, "name", name];
  const lookup = (name: string) => fromCommand([tool, "lookup", ...attributes(name)], clock);
  return {
    async store(name, value) {
      const argv = [tool, "store", "--label", `Handler: ${name}`, ...attributes(name)];
      const done = await fromCommand(argv, clock, value);
      return "bytes" in done && sameBytes(await lookup(name), value);
    },
    lookup,
    async clear(name) {
      const done = await fromCommand([tool, "clear", ...attributes(name)], clock);
      if ("why" in done) throw new HandlerError("unavailable", `removing it from the keyring: ${done.why}`);
    },
  };
}

function sameBytes(found: Found, value: Uint8Array): boolean {
  return "bytes" in found && found.bytes.length === value.length &&
    found.bytes.every((byte, index) => byte === value[index]);
}
