import type { Json } from "../base/mod.ts";
import type { CallRecord } from "../store/mod.ts";
import type { AppOperations } from "./app_ports.ts";
import type { DeskOperations } from "./desk_ports.ts";
import type { ThreadOperations } from "./thread_ports.ts";
import type { WelcomeOperations } from "./welcome_ports.ts";

/** Who makes a request. The control socket is the owner's alone (mode 0700 folder); so is the desk, by its cookie. */
export interface Actor {
  readonly kind: "owner";
  readonly via: "socket" | "page";
}

/** How the daemon stands, for `handler status`. */
export interface Status {
  readonly version: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly sandbox: { readonly driver: string; readonly why: string; readonly notStopped: readonly string[] };
  readonly interfaces: number;
  readonly connectors: number;
  readonly bindings: number;
  readonly agents: number;
  readonly sessions: number;
  /** Threads at work, and those that wait for a person; at most 1000 of each are counted. */
  readonly threads: { readonly running: number; readonly awaiting: number };
  /** Connectors that run now. */
  readonly running: readonly RunningConnector[];
  /** Where browsers find the page, and why they do not find it where that is so: the port is taken. */
  readonly desk: { readonly url: string; readonly problem: string | null };
  /** What is wrong with the configuration on disk, where the last reload failed; the old set is in force. */
  readonly problems: readonly Problem[];
  readonly memoryBytes: number;
}

/** A connector that runs, drains or backs off. */
export interface RunningConnector {
  readonly binding: string;
  readonly connector: string;
  readonly state: string;
  readonly inFlight: number;
  readonly lastFailure: string | null;
}

/** A problem in a file: `file:line:key: message`, and a hint. */
export interface Problem {
  readonly where: string;
  readonly message: string;
  readonly hint: string | null;
}

/** One check of `handler doctor`. */
export interface DoctorCheck {
  readonly name: string;
  /** `late`: it took too long, so nothing is known. */
  readonly state: "ok" | "warning" | "failed" | "late";
  readonly detail: string;
  /** What to do, as a command where one does it. */
  readonly hint: string | null;
}

/** An interface in the catalog. */
export interface InterfaceView {
  readonly id: string;
  readonly description: string;
  readonly hash: string;
  readonly origin: "shipped" | "user";
  readonly state: "published" | "draft" | "untrusted" | "changed";
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly errors: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, number>>;
  readonly connectors: readonly string[];
  readonly bindings: readonly string[];
  readonly folder: string;
  readonly skill: string;
}

/** A connector in the catalog. */
export interface ConnectorView {
  readonly name: string;
  readonly description: string;
  readonly implements: readonly string[];
  readonly egress: readonly string[];
  readonly hash: string;
  readonly origin: "shipped" | "user";
  readonly trusted: boolean;
  readonly runtime: string;
  readonly secretSlots: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly description: string;
  }[];
  readonly settings: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly description: string;
    /** `url`: the host and port of its value may be reached too. */
    readonly type: "text" | "url";
    readonly default: string | null;
  }[];
  readonly bindings: readonly string[];
  /** Per interface: whether its conformance cases passed with the hashes of now. */
  readonly proven: readonly {
    readonly interfaceId: string;
    readonly binding: string;
    readonly state: "proven" | "failed" | "changed" | "unproven";
    readonly at: number | null;
  }[];
  readonly folder: string;
}

/** A binding. Secrets show as references, never as values. */
export interface BindingView {
  readonly name: string;
  readonly description: string;
  readonly connector: string;
  readonly file: string;
  readonly settings: Readonly<Record<string, string>>;
  /** What one of each unit costs, in the currency of the settings. */
  readonly prices: Readonly<Record<string, number>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly implements: readonly string[];
  /** `host:port` that its connector may reach, those of its addresses among them; empty: nothing leaves this machine. */
  readonly egress: readonly string[];
  readonly usedBy: readonly string[];
  readonly problems: readonly Problem[];
}

/** What `binding add` is given. A secret is a reference in the words of contract F. */
export interface NewBinding {
  readonly name: string;
  readonly connector: string;
  readonly description: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Slot to `store:NAME`, `env:NAME`, `file:PATH` or `command:WORD WORD`. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Left out: as they were, else none. */
  readonly prices?: Readonly<Record<string, number>>;
  /** Whether one of that name may be there already, which is then changed; left out, that is a conflict. */
  readonly replace?: boolean;
}

/** An agent. */
export interface AgentView {
  readonly name: string;
  readonly project: string;
  readonly harness: string;
  readonly command: readonly string[];
  readonly services: Readonly<Record<string, readonly string[]>>;
  readonly egress: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly model: string | null;
  /** Bindings of addons. */
  readonly addons: readonly string[];
  /** An image for the podman driver. */
  readonly image: string | null;
  readonly file: string;
  /** What keeps it from starting. */
  readonly problems: readonly Problem[];
}

/** What `agent add` is given. */
export interface NewAgent {
  readonly name: string;
  readonly project: string;
  readonly harness: string;
  readonly command: readonly string[];
  readonly services: Readonly<Record<string, readonly string[]>>;
  /** These, left out: as they were, else none; an empty text takes a model or an image away. */
  readonly egress?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly model?: string;
  readonly addons?: readonly string[];
  readonly image?: string;
  /** As of {@linkcode NewBinding}. */
  readonly replace?: boolean;
}

/** A project. */
export interface ProjectView {
  readonly name: string;
  readonly path: string;
  readonly requires: readonly string[];
  readonly services: Readonly<Record<string, readonly string[]>>;
  readonly privacy: string;
  /** Variables of its threads. */
  readonly env: Readonly<Record<string, string>>;
  readonly agents: readonly string[];
  readonly file: string;
}

/** What `project add` is given. */
export interface NewProject {
  readonly name: string;
  readonly path: string;
  readonly requires: readonly string[];
  readonly privacy: "local" | "any";
  /** These, left out: as they were, else none. */
  readonly services?: Readonly<Record<string, readonly string[]>>;
  readonly env?: Readonly<Record<string, string>>;
  /** As of {@linkcode NewBinding}. */
  readonly replace?: boolean;
}

/** What was taken out of the configuration, so that it can be put back as it was, comments and all. */
export interface Removed {
  readonly kind: "agent" | "project" | "binding";
  readonly name: string;
  /** The text of its file. */
  readonly text: string;
}

/** A session (contract B.2). */
export interface SessionView {
  readonly id: string;
  readonly agent: string;
  readonly project: string;
  readonly state: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly exitCode: number | null;
  /** Why it is in this state, where the state does not say all. */
  readonly reason: string | null;
  /** Empty for a session without a process: a client outside. */
  readonly driver: string;
  readonly calls: number;
  /** Whether its program reads what it is sent: it was started without a prompt. */
  readonly takesInput: boolean;
  /** Whether there is a log of it. */
  readonly hasLog: boolean;
}

/** A call record, and what it cost by its binding's prices: null where there are none. */
export type CallView = CallRecord & { readonly cost: number | null };

/** Which calls to list. */
export interface CallQuery {
  readonly caller?: string;
  readonly interfaceId?: string;
  readonly tool?: string;
  readonly binding?: string;
  readonly session?: string;
  readonly failedOnly?: boolean;
  /** The code that they ended with. */
  readonly error?: string;
  /** When they began, in milliseconds since 1970: not before `since`, and before `until`. */
  readonly since?: number;
  readonly until?: number;
  /** The id of the last call of the page before: those that ended earlier. */
  readonly before?: string;
  readonly limit: number;
}

/** The outcome of `connector check`. */
export interface CheckReport {
  readonly schema: 1;
  readonly connector: string;
  readonly binding: string;
  readonly passed: boolean;
  readonly interfaces: readonly {
    readonly id: string;
    readonly cases: readonly {
      readonly name: string;
      readonly state: "passed" | "failed";
      readonly ms: number;
      readonly findings: readonly string[];
    }[];
    readonly problems: readonly string[];
  }[];
}

/** One call on two bindings (contract S.18). */
export interface CompareReport {
  readonly schema: 1;
  readonly tool: string;
  readonly sides: readonly {
    readonly binding: string;
    readonly ms: number;
    readonly units: Readonly<Record<string, number>>;
    readonly error: string | null;
    readonly result: Json;
  }[];
  /** Line differences of the two results as text, `+` and `-`. */
  readonly difference: readonly string[];
}

/** What is shown before something of the person's own folder is trusted (contract S.20). */
export interface TrustView {
  readonly kind: "interface" | "connector";
  readonly name: string;
  readonly hash: string;
  readonly trustedHash: string | null;
  /** The text that the model will read, or what the connector may reach. */
  readonly text: string;
}

/** A stored secret: never its value. */
export interface SecretView {
  readonly name: string;
  readonly storedIn: "file" | "keyring";
  readonly usedBy: readonly string[];
}

/** The image of the podman driver. */
export interface ImageView {
  readonly wanted: string;
  readonly present: readonly string[];
  readonly usable: boolean;
  readonly why: string | null;
}

/**
 * Everything that the daemon does for its owner: the API serves it, the client calls it, the daemon implements it. Each
 * function rejects with a `HandlerError` whose kind the API turns into a status.
 */
export interface Operations extends AppOperations, ThreadOperations, WelcomeOperations, DeskOperations {
  status(): Promise<Status>;
  reload(): Promise<{ readonly changed: readonly string[] }>;
  doctor(): Promise<readonly DoctorCheck[]>;
  shutDown(): Promise<void>;
  interfaces(): Promise<readonly InterfaceView[]>;
  interfaceCheck(idOrFolder: string): Promise<readonly Problem[]>;
  /** Freezes a draft: its hash is written into the `published.json` of its folder of interfaces (contract S.7). */
  interfacePublish(id: string): Promise<InterfaceView>;
  interfaceStub(id: string, name: string): Promise<Readonly<Record<string, string>>>;
  connectors(): Promise<readonly ConnectorView[]>;
  connectorCheck(name: string, binding: string | null, onCase: (line: string) => void): Promise<CheckReport>;
  connectorCompare(
    tool: string,
    input: Json,
    scope: string,
    bindings: readonly [string, string],
  ): Promise<CompareReport>;
  connectorLog(binding: string): Promise<string>;
  connectorRestart(binding: string): Promise<void>;
  bindings(): Promise<readonly BindingView[]>;
  bindingAdd(binding: NewBinding): Promise<BindingView>;
  bindingRemove(name: string): Promise<Removed>;
  agents(): Promise<readonly AgentView[]>;
  agentAdd(agent: NewAgent): Promise<AgentView>;
  agentRemove(name: string): Promise<Removed>;
  projects(): Promise<readonly ProjectView[]>;
  projectAdd(project: NewProject): Promise<ProjectView>;
  projectRemove(name: string): Promise<Removed>;
  /** Puts back what was removed; a conflict where something of that name is there again. */
  putBack(removed: Removed): Promise<void>;
  /** Chooses bindings for an interface, of an agent or a project; an empty list takes the choice away. */
  select(
    owner: "agent" | "project",
    name: string,
    interfaceName: string,
    bindings: readonly string[],
  ): Promise<void>;
  secrets(): Promise<readonly SecretView[]>;
  secretSet(name: string, value: Uint8Array): Promise<void>;
  secretRemove(name: string): Promise<void>;
  trustShow(name: string): Promise<readonly TrustView[]>;
  trustSet(kind: "interface" | "connector", name: string, hash: string): Promise<void>;
  calls(query: CallQuery): Promise<readonly CallView[]>;
  run(agent: string, prompt: string | null): Promise<SessionView>;
  sessions(all: boolean): Promise<readonly SessionView[]>;
  session(id: string): Promise<SessionView>;
  sessionStop(id: string): Promise<SessionView>;
  /** The log from a byte offset on; with `follow` until the session ends or the signal aborts. */
  sessionLog(id: string, from: number, follow: boolean, signal: AbortSignal): AsyncIterable<Uint8Array>;
  sessionInput(id: string, bytes: Uint8Array): Promise<void>;
  image(): Promise<ImageView>;
  imageBuild(): Promise<ImageView>;
  imagePull(): Promise<ImageView>;
  /** The host folder with an external agent's sockets, opened where it is not. */
  externalServices(agent: string): Promise<{ readonly folder: string; readonly services: readonly string[] }>;
}
