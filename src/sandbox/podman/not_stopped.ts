import type { PodmanSetup } from "./setup.ts";

/** What podman does not stop on this machine; nothing is known before it was tried. */
export function notStopped(setup: PodmanSetup | undefined): readonly string[] {
  if (!setup) return [];
  return [
    ...(setup.limits ? [] : [
      "this user has no control groups: a watchdog ends a container that takes too much memory or too many processes, " +
      "up to 50 ms late",
    ]),
    ...(setup.user === "root"
      ? ["user namespaces do not work here: inside, the program is root without any capability"]
      : []),
  ];
}
