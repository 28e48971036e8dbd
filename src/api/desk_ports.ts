import type { Json } from "../base/mod.ts";
import type { WireError } from "./errors.ts";
import type { CallQuery, CallView, InterfaceView } from "./ports.ts";

/** What changes by itself and is shown by more than one client at once. */
export type Topic =
  | "calls"
  | "sessions"
  | "connectors"
  | "apps"
  | "threads"
  | "inbox"
  | "persons"
  | "secrets"
  | "configuration"
  | "jobs";

/**
 * Something of a topic is other than it was: who shows it asks again. Changes of one topic that follow closely are told
 * as one. There is no history: who was away asks for everything anew.
 */
export interface Change {
  readonly topic: Topic;
  /** Which one, where it is one: a session's id, an app's name, a thread's id, a job's id. */
  readonly key: string | null;
}

/** Which daemon answers: another instance means that it was started anew, and that what was shown may be of another version. */
export interface Hello {
  readonly instance: string;
  readonly version: string;
}

/** Long work that goes on whether or not somebody watches. */
export type JobRequest =
  | { readonly kind: "deploy"; readonly app: string; readonly hash: string }
  | { readonly kind: "app-check"; readonly folder: string }
  | { readonly kind: "connector-check"; readonly connector: string; readonly binding: string | null }
  | { readonly kind: "image"; readonly how: "build" | "pull" };

/** Long work and how far it is; kept for an hour after its end, at most 100. */
export interface JobView {
  readonly id: string;
  readonly request: JobRequest;
  readonly state: "running" | "done" | "failed";
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** What was told on the way: a `DeployStep` of a deploy, else a line of text. */
  readonly progress: readonly Json[];
  /** A `DeployReport`, a `CheckReport`, a list of `Problem`, an `ImageView`, as the request's own operation gives it. */
  readonly result: Json | null;
  readonly error: WireError | null;
}

/** A file of a trial. */
export interface TrialFile {
  readonly name: string;
  readonly size: number;
  readonly mediaType: string;
}

/** A folder of its own for calls that a person tries; gone an hour after its last use. */
export interface Trial {
  readonly id: string;
  readonly files: readonly TrialFile[];
}

/** A call that a person tries on one binding. Files are named as in the trial's folder. */
export interface TrialCall {
  readonly tool: string;
  readonly binding: string;
  readonly input: Json;
}

/** What came of it. */
export interface TrialReport {
  readonly binding: string;
  readonly ms: number;
  readonly units: Readonly<Record<string, number>>;
  /** In the currency of the settings; null where the binding says no prices. */
  readonly cost: number | null;
  readonly hosts: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
  /** The tool's structured result; null where it failed. */
  readonly result: Json;
  /** Files that the call made in the trial's folder. */
  readonly made: readonly TrialFile[];
}

/** One span of time of one binding. Durations in milliseconds; null where there was no call. */
export interface CallPoint {
  readonly at: number;
  readonly calls: number;
  readonly errors: number;
  readonly p50: number | null;
  readonly p95: number | null;
}

/** What one binding did in a time. */
export interface BindingStats {
  readonly binding: string;
  readonly calls: number;
  readonly errors: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly units: Readonly<Record<string, number>>;
  /** null where the binding says no prices. */
  readonly cost: number | null;
  readonly points: readonly CallPoint[];
}

/** What was sent to a host and came from it. */
export interface HostStats {
  readonly host: string;
  readonly connections: number;
  readonly bytesOut: number;
  readonly bytesIn: number;
  readonly bindings: readonly string[];
}

/** Calls over a time. Times are milliseconds since 1970. */
export interface CallStats {
  readonly from: number;
  readonly to: number;
  readonly bindings: readonly BindingStats[];
  readonly hosts: readonly HostStats[];
  /** Of all costs, as the settings say it: `EUR`. */
  readonly currency: string;
}

/** Over which time, cut into how many points; a binding leaves out the others. */
export interface StatsQuery {
  readonly from: number;
  readonly to: number;
  readonly points: number;
  readonly binding?: string;
}

/** The last check of a connector with a binding: it counts for the very files and settings that were checked. */
export interface KeptCheck {
  readonly binding: string;
  readonly interfaceId: string;
  readonly at: number;
  /** `changed`: what was checked is not what is there now. */
  readonly state: "proven" | "failed" | "changed";
  readonly passed: boolean;
  readonly cases: readonly {
    readonly name: string;
    readonly state: "passed" | "failed";
    readonly ms: number;
    /** The rule that did not hold, in words. */
    readonly detail: string | null;
  }[];
}

/** An interface with all that a model reads of it. */
export interface InterfaceDetail {
  readonly view: InterfaceView;
  /** The tools as `tools.json` has them: name, description, inputSchema, outputSchema. */
  readonly tools: readonly Json[];
  readonly skill: string;
}

/** What an agent finds in its sandbox. */
export interface AgentSight {
  readonly agent: string;
  /** The folder it works in, seen under the same path. */
  readonly folder: string;
  readonly interfaces: readonly {
    readonly id: string;
    /** In the order in which they are tried. */
    readonly bindings: readonly string[];
    readonly tools: readonly Json[];
    readonly skill: string;
  }[];
  /** `host:port` it may reach itself; empty: no network. */
  readonly egress: readonly string[];
  /** Names of the variables that are set. */
  readonly env: readonly string[];
}

/** A setting of the configuration file. */
export interface SettingView {
  /** `threads.turnSeconds`. */
  readonly key: string;
  readonly kind: "text" | "integer" | "flag" | "choice";
  /** Of a choice. */
  readonly choices: readonly string[];
  /** What holds, as text: what the file says, else the standard. */
  readonly value: string;
  /** What holds where the file is silent. */
  readonly standard: string;
  /** Whether the file says it. */
  readonly set: boolean;
  readonly description: string;
  /** Whether a new value counts only from the daemon's next start on. */
  readonly restart: boolean;
  /** Whether the value is such a new one: what is in force is another, until the daemon is started anew. */
  readonly waits: boolean;
}

/** The person's settings, and the file that has them. */
export interface SettingsView {
  readonly file: string;
  readonly settings: readonly SettingView[];
}

/** A folder of this machine, for a person who looks for a path; what is hidden is left out. */
export interface FolderView {
  readonly path: string;
  /** The one around it; null at the top. */
  readonly above: string | null;
  /** Folders first, by name; at most 2000. */
  readonly entries: readonly { readonly name: string; readonly kind: "folder" | "file" }[];
}

/** What the page needs beyond what the command line does; both may use it. */
export interface DeskOperations {
  /** What changes from now on, until the signal aborts; `onHello` is called once, before the first change. */
  changes(signal: AbortSignal, onHello?: (hello: Hello) => void): AsyncIterable<Change>;
  jobStart(request: JobRequest): Promise<JobView>;
  /** The newest first, each with the last 20 of its steps. */
  jobs(): Promise<readonly JobView[]>;
  job(id: string): Promise<JobView>;
  trialNew(): Promise<Trial>;
  trial(id: string): Promise<Trial>;
  /** Puts a file of at most 1 GiB into the folder, in place of one of that name; a browser gives its `File` as it is. */
  trialPut(id: string, name: string, bytes: AsyncIterable<Uint8Array> | Blob): Promise<TrialFile>;
  trialFile(id: string, name: string): AsyncIterable<Uint8Array>;
  trialCall(id: string, call: TrialCall, signal: AbortSignal): Promise<TrialReport>;
  trialRemove(id: string): Promise<void>;
  callStats(query: StatsQuery): Promise<CallStats>;
  /** Records as a file: a line of names and a line a call (`csv`), or an object a line (`jsonl`). */
  callsExport(query: CallQuery, format: "csv" | "jsonl", signal: AbortSignal): AsyncIterable<string>;
  call(id: string): Promise<CallView>;
  interfaceShow(id: string): Promise<InterfaceDetail>;
  /** What the last checks of a connector gave, for each binding and interface. */
  connectorChecks(connector: string): Promise<readonly KeptCheck[]>;
  agentSight(name: string): Promise<AgentSight>;
  settings(): Promise<SettingsView>;
  /** Writes a setting into the file; null takes it out. The rest of the file stays as it is. */
  settingSet(key: string, value: string | null): Promise<SettingsView>;
  /** @param path left out: the person's home */
  folder(path: string | null): Promise<FolderView>;
  /** A one-time link, good for 2 minutes, that opens the page (contract H.2). */
  deskLink(): Promise<{ readonly url: string }>;
}
