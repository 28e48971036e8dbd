import type { Clock, Logger } from "../../base/mod.ts";
import type { SecretReference } from "../../config/mod.ts";
import type { Sandbox, SandboxSpec } from "../../sandbox/mod.ts";
import type { FileFinder, SchemaCheck } from "../../schema/mod.ts";
import type { CallRecord } from "../../store/mod.ts";
import type { ResolvedBinding } from "../bindings.ts";
import type { Connector } from "../connector.ts";
import type { Interface } from "../interface.ts";
import type { Telemetry } from "../telemetry.ts";

/** A secret's value for as long as a sandbox has it. */
export interface SecretLease {
  readonly value: string;
  release(): void;
}

/** Who calls, settled by the socket that the call came in on. */
export interface Caller {
  /** `agent:clerk`, `check`, `app:notes`. */
  readonly id: string;
  readonly session: string | null;
  /** The folder that its files must lie in. */
  readonly scope: string;
  /** The bindings for an interface such as `ocr/v1`, in order of preference, as they are now. */
  selection(interfaceId: string): readonly string[];
  /** `local` refuses connectors with egress (contract S.18). */
  readonly privacy: "local" | "any";
  /**
   * How many calls of an interface the run has made already, for `maxCallsPerRun`; none where it is left out. With
   * `connection` each connection is a run: a client outside any sandbox makes one for each of its own.
   */
  readonly run?: "connection" | ((interfaceId: string) => number);
}

/** What the router is made of; every field is required. */
export interface RouterPorts {
  readonly clock: Clock;
  readonly log: Logger;
  /** Where sockets and staged files lie; short, for the sake of socket paths. */
  readonly runtimeFolder: string;
  /** Starts the sandbox of a connector. @throws {HandlerError} `denied` where it may not run under the driver here */
  startSandbox(spec: SandboxSpec, connector: Connector): Promise<Sandbox>;
  /** The spec of a connector's sandbox, but for what the router itself adds: the run folder and secrets. */
  sandboxSpec(binding: ResolvedBinding): Promise<SandboxSpec>;
  resolveSecret(reference: SecretReference, slot: string): Promise<SecretLease>;
  /** A text with every secret that lives now taken out. */
  redact(text: string): string;
  /** The binding as configured now. @throws {HandlerError} it is not there or breaks a rule */
  resolveBinding(name: string): ResolvedBinding;
  /** The tools of every interface that a binding's connector implements: it is ready once it serves them. */
  requiredTools(binding: ResolvedBinding): readonly string[];
  /** `host:port` of the connections that a sandbox had open or made since `since` (monotonic milliseconds). */
  hostsSince(sandbox: string, since: number): readonly string[];
  /** How long an unused connector is kept, in milliseconds. */
  idleMs(): number;
  record(record: CallRecord): void;
  /** A binding's connector was started, has ended or did not start. */
  connectorChanged(binding: string): void;
  /** Where spans and metrics of calls go; undefined where nobody wants them. */
  readonly telemetry: Telemetry | undefined;
}

/** A tool of an interface with its schemas compiled. */
export interface ServedTool {
  readonly name: string;
  readonly checkInput: SchemaCheck;
  readonly checkOutput: SchemaCheck;
  /** The files among the arguments; undefined where the schema has none at all. */
  readonly files: FileFinder | undefined;
}

/** An interface ready to be served. */
export interface ServedInterface {
  readonly definition: Interface;
  readonly tools: ReadonlyMap<string, ServedTool>;
}
