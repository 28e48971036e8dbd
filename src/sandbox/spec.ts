/** What a sandbox is for; it decides what is done with it when the daemon starts again (contract A.6). */
export type SandboxKind = "connector" | "agent" | "app" | "thread-host" | "test";

/** A file or folder of the host that is seen inside. Nothing else of the host is (contract A.1). */
export interface Mount {
  /** An absolute path on the host. */
  readonly source: string;
  /** The absolute path inside. The `deno` driver has no mounts and renames targets back to sources. */
  readonly target: string;
  readonly mode: "ro" | "rw";
}

/** What runs inside. */
export type Program =
  | { readonly kind: "argv"; readonly argv: readonly string[] }
  | DenoProgram;

/** A program for the Deno of the sandbox, with Deno's own permissions as a second layer (contract A.4). */
export interface DenoProgram {
  readonly kind: "deno";
  /** `test` runs the tests below a folder, without a type check, in place of a module. */
  readonly command?: "run" | "test";
  /** The module inside the sandbox, an absolute path (a mount's target or below). */
  readonly entry: string;
  readonly args: readonly string[];
  /** A folder inside that holds a `deno.json` to use, where there is one. */
  readonly config?: string;
  readonly permissions: DenoPermissions;
}

/** Paths are as seen inside; egress hosts and the sandbox's own sockets are added by the driver. */
export interface DenoPermissions {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /**
   * Whether files may be read and written without path rules, which would break SQLite's VACUUM and ATTACH (contract
   * A.4): the mounts are the boundary. The `deno` driver has no mounts and goes by the lists all the same.
   */
  readonly allFiles?: boolean;
  /** Programs that may be started. */
  readonly run: readonly string[];
  /** Variables that may be read; true for all (there is nothing in them but what the spec gives). */
  readonly env: readonly string[] | true;
  /** System facts such as `hostname` or `cpus`. */
  readonly sys: readonly string[];
  /** Listening on and connecting to loopback addresses inside the sandbox's own network. */
  readonly loopback: boolean;
}

/** One destination outside that a sandbox may reach (contract A.3). */
export interface EgressRule {
  /** A host name, an address, or `*.example.com`. */
  readonly host: string;
  readonly port: number;
  /**
   * Whether a person or manifest names this very address or local name, so that a private or loopback address is
   * allowed for it. Metadata addresses never are unless named as an address.
   */
  readonly namedLocal: boolean;
}

/** Everything about a sandbox before it starts (contract A). */
export interface SandboxSpec {
  /** Unique among running sandboxes: lower-case letters, digits and `-`. */
  readonly name: string;
  readonly kind: SandboxKind;
  /** The image of the podman driver; its own runtime image where absent. Other drivers refuse a spec with an image. */
  readonly image?: string;
  readonly program: Program;
  /** Plain variables. They may be seen in `podman inspect` and logs: no secret belongs here. */
  readonly env: Readonly<Record<string, string>>;
  /** Secret values by variable name; never in argv, files, logs or `podman inspect` (contract A.7). */
  readonly secretEnv: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  /** The working folder inside. */
  readonly cwd: string;
  readonly egress: readonly EgressRule[];
  /** Bytes. */
  readonly memoryBytes: number;
  readonly pids: number;
  /** Processors, where they are limited; 0.5 is half of one. */
  readonly cpus?: number;
  /** After this many milliseconds the sandbox is stopped. */
  readonly timeoutMs?: number;
  /** It goes on when the daemon ends and can be adopted by the next one (contract B.2). */
  readonly outlivesDaemon: boolean;
  /** A host file that takes stdout and stderr; without it the last 64 KiB are kept in memory. */
  readonly logFile?: string;
  /** A host FIFO that is the program's stdin; without it stdin is empty. */
  readonly stdinFifo?: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** How a sandbox ended. */
export interface SandboxExit {
  /** The program's exit code; 128 plus the signal's number where a signal ended it. */
  readonly code: number;
  /** Why, where the driver knows more than the code says. */
  readonly reason: "exited" | "stopped" | "memory" | "time" | "lost";
}

/** How a sandbox ended while no daemon ran. */
export interface PastExit extends SandboxExit {
  /** When, in milliseconds since 1970. */
  readonly at: number;
}

/** A connection that a sandbox made to the outside (contract A.3). */
export interface EgressRecord {
  readonly sandbox: string;
  readonly host: string;
  readonly port: number;
  /** The address that was dialled; undefined where the connection was refused. */
  readonly address?: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly error?: string;
}

/** A running sandbox. */
export interface Sandbox {
  readonly name: string;
  readonly driver: DriverName;
  /** What a later daemon needs to adopt it: a process id or a container id. */
  readonly handle: string;
  readonly exited: Promise<SandboxExit>;
  /** Processor time that all of it has used so far, in milliseconds; undefined where this machine does not say. */
  cpuMs(): Promise<number | undefined>;
  /** Asks to end, waits `graceMs`, then kills the whole group. */
  stop(graceMs: number): Promise<SandboxExit>;
  /** The end of what it printed, at most 64 KiB, secrets not yet redacted. */
  log(): string;
}

/** A sandbox that is made and of whose program nothing has run yet (contract A.6). */
export interface PreparedSandbox {
  /**
   * Lets the program run. Called once.
   *
   * @throws {HandlerError} where what was made is gone; it is taken down then
   */
  start(): Promise<Sandbox>;
  /** Takes it down unused. */
  discard(): Promise<void>;
}

/** The three drivers (contract A.2). */
export type DriverName = "podman" | "bubblewrap" | "deno";

/** A way to run sandboxes. */
export interface SandboxDriver {
  readonly name: DriverName;
  /** Whether it works here, tried once for real; `why` is for a person. */
  probe(): Promise<{ readonly works: true } | { readonly works: false; readonly why: string }>;
  /** What this driver cannot stop on this machine, one sentence each, for `handler doctor` and the demo. */
  notStopped(): readonly string[];
  start(spec: SandboxSpec): Promise<Sandbox>;
  /** Makes everything of a sandbox that can be there before its program runs. A time limit counts from here on. */
  prepare(spec: SandboxSpec): Promise<PreparedSandbox>;
  /** Takes over what an earlier daemon started with `outlivesDaemon`; undefined where it has ended. */
  adopt(name: string, handle: string, spec: Pick<SandboxSpec, "egress">): Promise<Sandbox | undefined>;
  /**
   * How what an earlier daemon started has ended meanwhile, as its own supervisor wrote it down, and removes what it
   * left; undefined where it still runs or left no word.
   */
  pastExit(name: string, handle: string): Promise<PastExit | undefined>;
  /** Removes what earlier daemons of this home left, except the handles to keep; returns how many. */
  reap(keepHandles: readonly string[]): Promise<number>;
}
