import { WATCHDOG_SAYS } from "../limits/guard.ts";
import type { PodmanSetup } from "./setup.ts";

/** What podman does not stop on this machine; nothing is known before it was tried. */
export function notStopped(setup: PodmanSetup | undefined): readonly string[] {
  if (!setup) return [];
  return [
    ...(setup.limits ? [] : [WATCHDOG_SAYS]),
    ...(setup.seccomp.length > 0 ? [] : [
      "podman's own seccomp profile was not found to be made narrower: a program may make user namespaces inside",
    ]),
    ...(setup.user === "root"
      ? ["user namespaces do not work here: inside, the program is root without any capability"]
      : []),
  ];
}
