import { WATCHDOG_SAYS } from "../limits/guard.ts";
import type { Tools } from "./tools.ts";

/** What bubblewrap does not stop on this machine; nothing is known before it was tried. */
export function notStopped(
  tools: Pick<Tools, "groups" | "filterFile" | "root"> | undefined,
): readonly string[] {
  if (!tools) return [];
  return [
    ...(tools.groups ? [] : [WATCHDOG_SAYS]),
    ...(tools.filterFile ? [] : [
      "there is no filter of system calls for this processor: a program may open sockets of the machine's own, such as vsock",
    ]),
    ...(tools.root
      ? ["handlerd runs as root: on this machine a program's user is root too, without any capability"]
      : []),
  ];
}
