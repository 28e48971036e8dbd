import type { DriverName, SandboxDriver } from "../sandbox/mod.ts";
import type { Folders } from "../platform/mod.ts";
import { type Named, runChecks } from "./check.ts";
import { desktopChecks } from "./desktop.ts";
import { installerHere } from "./distribution.ts";
import { engineChecks } from "./engines.ts";
import { folderChecks } from "./folders.ts";
import { networkChecks } from "./network.ts";
import { sandboxChecks } from "./sandboxes.ts";
import { systemChecks } from "./system.ts";

/** What {@linkcode checkMachine} needs of whoever asks. */
export interface MachineParts {
  readonly folders: Folders;
  /** Where browsers find the desk; 0 for any. */
  readonly port: number;
  /** The daemon's own process; undefined where none runs. */
  readonly daemonPid: number | undefined;
  /** The Deno for sandboxes. */
  readonly deno: string | undefined;
  /** The folder of bundled connectors; undefined where they are not unpacked yet. */
  readonly builds: string | undefined;
  readonly asked: "auto" | DriverName;
  /** The configuration's image. */
  readonly image: string | undefined;
  driver(name: DriverName): SandboxDriver;
  /** How long one check may take. All run side by side. */
  readonly limitMs: number;
}

/** Everything that can be said of this machine, with or without a daemon. */
export async function checkMachine(parts: MachineParts): Promise<readonly Named[]> {
  const installer = await installerHere();
  return await runChecks([
    ...sandboxChecks({ ...parts, installer, limitMs: parts.limitMs - 500 }),
    ...networkChecks(parts),
    ...folderChecks(parts.folders),
    ...systemChecks(parts.deno),
    ...engineChecks(parts.builds),
    ...desktopChecks(installer),
  ], parts.limitMs);
}
