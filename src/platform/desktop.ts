import { env, userId } from "./env.ts";
import { statIfThere } from "./files.ts";

/**
 * The address of the person's session bus, or undefined where there is none: a machine without a desktop, a daemon
 * outside of any login.
 */
export async function sessionBus(): Promise<string | undefined> {
  const told = env("DBUS_SESSION_BUS_ADDRESS");
  if (told) return told;
  const socket = `${env("XDG_RUNTIME_DIR") ?? `/run/user/${userId() ?? 0}`}/bus`;
  return (await statIfThere(socket))?.isSocket ? `unix:path=${socket}` : undefined;
}
