import type { HandlerError } from "../base/mod.ts";
import type { Selection } from "../config/mod.ts";
import type { DriverName, Sandboxes } from "../sandbox/mod.ts";

/** The drivers, as agents need them; `Sandboxes` is one. */
export type SandboxPort = Pick<Sandboxes, "chosen" | "adopt" | "pastExit">;

/** What an agent takes from services, before it starts. */
export interface ServiceNeeds {
  /** The file of the agent, for error places. */
  readonly file: string;
  /** Interfaces such as `ocr/v1` that must be served. */
  readonly requires: readonly string[];
  readonly selection: Selection;
  readonly privacy: "local" | "any";
}

/** Who an agent's calls come from; settled by the socket they come in on. */
export interface ServiceCaller {
  /** `agent:clerk` */
  readonly id: string;
  readonly session: string;
  /** The folder that its files must lie in. */
  readonly scope: string;
  readonly requires: readonly string[];
  /** Asked at each call, so that a changed choice needs no new session. */
  selection(): Selection;
  readonly privacy: "local" | "any";
  /**
   * How many calls of an interface the run has made already, for `maxCallsPerRun`. With
   * `connection` each connection is a run: a client outside any sandbox makes one for each of its own.
   */
  readonly run: "connection" | ((interfaceId: string) => number);
}

/** An interface that is served to an agent. */
export interface AgentService {
  /** `ocr` */
  readonly name: string;
  /** `ocr/v1` */
  readonly id: string;
  /** The text of its SKILL.md. */
  readonly skill: string;
}

/** A session's sockets. */
export interface OpenServices {
  readonly interfaces: readonly AgentService[];
  /** Ends the connections and removes the sockets. */
  close(): Promise<void>;
}

/** The services, as agents need them. */
export interface ServicesPort {
  /** Everything that is wrong with what an agent selected (contract G.3); empty where all is well. */
  check(needs: ServiceNeeds): Promise<readonly HandlerError[]>;
  /** Opens `<interface>.sock` in `folder` for each selected interface. The folder itself stays as it is. */
  open(caller: ServiceCaller, folder: string): Promise<OpenServices>;
}

/** The commands that are put inside an agent's sandbox. */
export interface GuestPort {
  /** The host folder with `handler-service`, `handler-call` and `handler-llm` for a driver's sandboxes. */
  binFolder(driver: DriverName): Promise<string>;
}
