import type { SecretReference } from "../config/mod.ts";
import type { Connections } from "../platform/mod.ts";

/** What a mini app may reach, declared in its manifest and shown before a deploy (seed `mini-apps.md` §6). */
export interface AppNeeds {
  /** `host:port` texts. */
  readonly egress: readonly string[];
  /** Variables that hold a secret, such as `LLM_API_KEY`; the person fills each with a reference. */
  readonly secrets: readonly string[];
  /** Host folders by the name that the app knows them under; the person chooses each at deploy. */
  readonly files: Readonly<Record<string, "ro" | "rw">>;
  /** Whether it may put something into a person's inbox (seed §7). */
  readonly notify: boolean;
  /** Interfaces such as `ocr/v1`, called through the same router as agents call. */
  readonly services: readonly string[];
}

/** `app.toml`, `handler.miniapp/v1` (seed §9, contract H). */
export interface AppManifest {
  /** A DNS label: `http://<name>.localhost:7430/`. */
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** The backend's module, below the source folder; its directory is installed whole. */
  readonly serverEntry: string;
  /** The built page, with an `index.html`. */
  readonly uiFolder: string;
  readonly needs: AppNeeds;
  readonly resources: {
    readonly memoryBytes: number;
    readonly pids: number;
    readonly cpus: number | undefined;
  };
  /** `POST /api/checkin` to how it is taken when the host is off (seed §5.3). */
  readonly routes: Readonly<Record<string, "queued">>;
}

/** What the person has settled for an app; never in the manifest (seed §12). */
export interface AppSettings {
  /** Secret variable to reference. */
  readonly secrets: Readonly<Record<string, SecretReference>>;
  /** Name of a `needs.files` folder to the host folder. */
  readonly files: Readonly<Record<string, string>>;
  /** Interface name to bindings, as an agent's selection. */
  readonly services: Readonly<Record<string, readonly string[]>>;
  /** Persons besides `owner` who may use it. */
  readonly persons: readonly string[];
  /** The desktop shortcut, such as `<Super>n`. */
  readonly shortcut: string | undefined;
}

/** One deployed version. Three are kept (seed §4). */
export interface AppVersion {
  /** Counts deployments of this app from 1. */
  readonly number: number;
  readonly manifest: AppManifest;
  /** SHA-256 over the installed files. */
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly deployedAt: number;
  /** The host folder with `server/…` and the page, never changed after the deploy. */
  readonly folder: string;
  /** The backup of the data taken just before this version was switched in; undefined for the first. */
  readonly backup: string | undefined;
}

/** An app as the registry knows it. */
export interface App {
  readonly name: string;
  /** Where it is developed; deploys read from there. */
  readonly source: string;
  readonly settings: AppSettings;
  /** Newest first; the first one is installed. Empty until the first deploy. */
  readonly versions: readonly AppVersion[];
}

/** A running backend for as long as a request holds it; the idle timer waits for the last release. */
export interface RunningBackend extends Disposable {
  /** The host path of the app's HTTP socket, proved to be one that its own sandbox made (contract H.3). */
  readonly socket: string;
  /** Connections to it that are kept for the next request. */
  readonly connections: Connections;
  /** Says that the answer is a stream without an end of its own: a deploy ends it and does not wait. */
  asStream(): void;
  /** Says that nobody listens at the socket any more; resolves once it is certain to be gone. */
  retire(): Promise<void>;
  /** The end of what the app's backends printed, for whoever meets a failure. */
  lastWords(): string;
}

/** What serves an app's origin needs of the apps; the API floor gets no more. */
export interface AppServing {
  /** The installed page: its folder and a mark that changes with each deploy; undefined for no such app. */
  page(name: string): { readonly folder: string; readonly mark: string } | undefined;
  /**
   * Starts the backend where it does not run (one start for any number of callers) and waits until it is healthy.
   * @throws {HandlerError} `unavailable` with the last lines of its log where it does not come up
   */
  acquire(name: string, signal: AbortSignal): Promise<RunningBackend>;
  /** Whether a person may use an app that is there: the owner always, others where it is shared with them. */
  mayUse(name: string, person: string): boolean;
  /** Calls `listener` whenever somebody may have lost an app. */
  onAccess(listener: () => void): void;
}
