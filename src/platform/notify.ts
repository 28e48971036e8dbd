import { env } from "./env.ts";
import { start } from "./process.ts";

/**
 * Tells the service manager how the daemon stands (sd_notify): `READY=1`, `STOPPING=1`. Does nothing where none asked.
 * Deno cannot send a datagram to a unix socket by a stable API, so the manager's own `systemd-notify` does it.
 */
export function notifyReady(state: string): void {
  const socket = env("NOTIFY_SOCKET");
  if (socket === undefined) return;
  try {
    const told = start(["systemd-notify", `--pid=${Deno.pid}`, state], {
      env: { NOTIFY_SOCKET: socket, PATH: env("PATH") ?? "/usr/bin" },
      stdout: "null",
      stderr: "null",
    });
    void told.status;
  } catch {
    // a manager without its own tool is not told
  }
}
