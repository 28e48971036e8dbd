import type { Clock, Logger } from "../../base/mod.ts";
import type { Sandbox, SandboxSpec } from "../../sandbox/mod.ts";

/** What thread hosts are made of; every field is required. */
export interface ThreadHostsPorts {
  readonly clock: Clock;
  readonly log: Logger;
  /** For sockets and copies of definitions, gone with a restart of the machine; short. */
  readonly runtimeFolder: string;
  /** For logs and Deno's cache. */
  readonly stateFolder: string;
  startSandbox(spec: SandboxSpec): Promise<Sandbox>;
  /** The absolute folder of a project; undefined where none of that name is configured. */
  projectFolder(project: string): string | undefined;
  /** How long a host without work is kept, in milliseconds. */
  idleMs(): number;
  /** Processor time that a host which says nothing may use, in milliseconds; {@linkcode SPIN_CPU_MS} but for tests. */
  readonly spinCpuMs: number;
}
