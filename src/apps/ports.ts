import type { Clock, Logger } from "../base/mod.ts";
import type { SecretReference, Selection } from "../config/mod.ts";
import type { Folders } from "../platform/mod.ts";
import type { PreparedSandbox, Sandbox, SandboxSpec } from "../sandbox/mod.ts";
import type { AppRegistry } from "./registry.ts";

/** A secret's value for as long as a sandbox has it. */
export interface SecretLease {
  readonly value: string;
  release(): void;
}

/** An app's sockets to services; closing ends the connections. */
export interface OpenServices {
  close(): Promise<void>;
}

/** What mini apps are made of; every field is required. */
export interface AppsPorts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly folders: Folders;
  readonly registry: AppRegistry;
  /** The folder of Handler's own guest programs. */
  readonly guestFolder: string;
  startSandbox(spec: SandboxSpec): Promise<Sandbox>;
  /** Makes a sandbox ahead of its start. */
  prepareSandbox(spec: SandboxSpec): Promise<PreparedSandbox>;
  resolveSecret(reference: SecretReference, slot: string): Promise<SecretLease>;
  /** Opens `<interface>.sock` in `folder` for what an app needs and its person chose. */
  openServices(
    caller: {
      readonly id: string;
      readonly scope: string;
      readonly requires: readonly string[];
      selection(): Selection;
    },
    folder: string,
  ): Promise<OpenServices>;
  /** Serves `$HANDLER_APP_API` of an app at a socket path; the returned function ends that. */
  openApi(app: string, socket: string): Promise<() => Promise<void>>;
  /** Whether the configuration knows a person: who is taken out of it loses every app. */
  isPerson(name: string): boolean;
  /** Calls `listener` whenever that may have changed. */
  onPersons(listener: () => void): void;
  /** An app's backend is about to start, runs, or has ended. */
  stateChanged(app: string): void;
  /** How long an unused backend is kept, in milliseconds (seed §4: 10 minutes). */
  idleMs(): number;
}
