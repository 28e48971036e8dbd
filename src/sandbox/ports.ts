import type { Clock, Logger } from "../base/mod.ts";
import type { Boxes } from "./boxes.ts";
import type { GatePorts } from "./egress/gate.ts";
import type { StartedProcesses } from "./state.ts";

/** What every driver works with. */
export interface DriverPorts {
  readonly log: Logger;
  readonly clock: Clock;
  readonly boxes: Boxes;
  readonly started: StartedProcesses;
  /** How connections to the outside are dialled and recorded. */
  readonly gate: GatePorts;
  /** The image of the configuration, for podman. */
  readonly image: string | undefined;
  /** Which daemon started a thing. */
  readonly instanceId: string;
  /** Which home it belongs to: what an earlier daemon of the same home left is this one's to remove. */
  readonly home: string;
  /** The Deno for sandboxes; undefined where the machine has none. */
  readonly deno: string | undefined;
  /** The folder of `boot.js` and the other guest programs. */
  readonly guestFolder: string;
  /** Whether a person has named authorities of their own. */
  readonly extraAuthorities: boolean;
  /** Where drivers keep files of their own between starts. */
  readonly stateFolder: string;
}
