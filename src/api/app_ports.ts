import type { Problem } from "./ports.ts";

/** A mini app as a person sees it. */
export interface AppView {
  readonly name: string;
  readonly description: string;
  readonly source: string;
  readonly url: string;
  readonly state: "not deployed" | "stopped" | "starting" | "running" | "failing";
  /** Why the last start failed, and the end of what was printed then; null where it did not. */
  readonly failure: { readonly message: string; readonly log: string } | null;
  readonly version: string | null;
  readonly deployedAt: number | null;
  /** The version in the source folder, where it differs from the installed one. */
  readonly ready: string | null;
  readonly persons: readonly string[];
  readonly shortcut: string | null;
  readonly dataBytes: number;
}

/** Something that a version asks for, beside what the installed one has. */
export interface PlannedNeed {
  readonly kind: "egress" | "secret" | "folder" | "service" | "notify";
  /** `api.example.com:443`, `LLM_API_KEY`, `photos`, `ocr/v1`; empty for `notify`. */
  readonly name: string;
  /** Of a folder: read, or written too. */
  readonly mode: "ro" | "rw" | null;
  /** `new`: the installed version does not have it; `gone`: only that one has it. */
  readonly change: "new" | "kept" | "gone";
  /** What the person has chosen for it: a secret's reference, a folder, bindings; empty where nothing is chosen. */
  readonly settled: readonly string[];
}

/** What a deploy would install and what it asks for; the hash is what the person approves (contract H.5). */
export interface DeployPlan {
  readonly app: string;
  readonly version: string;
  /** The version that runs now; null before the first deploy. */
  readonly installed: string | null;
  /** All needs, those that go away too. */
  readonly asks: readonly PlannedNeed[];
  /** The most memory that it may take, and what the installed version may. */
  readonly memory: { readonly bytes: number; readonly before: number | null };
  /** SHA-256 over manifest and needs as shown. */
  readonly hash: string;
  readonly needs: Readonly<Record<string, unknown>>;
  /** Needs that the installed version does not have, in words. */
  readonly newNeeds: readonly string[];
  /** Secrets, folders and services that the person has not settled yet. */
  readonly unsettled: readonly string[];
  readonly problems: readonly Problem[];
}

/** One step of a deploy. */
export interface DeployStep {
  readonly step: "snapshot" | "test" | "backup" | "rehearse" | "switch";
  readonly state: "started" | "done" | "failed";
  readonly ms: number;
  /** What the person reads: counts, rows, the failing test's output. */
  readonly detail: string;
}

/** How a deploy went. */
export interface DeployReport {
  readonly schema: 1;
  readonly app: string;
  readonly deployed: boolean;
  readonly version: string;
  readonly steps: readonly DeployStep[];
  /** Per table: rows before and after the migration on a copy of the real data. */
  readonly rehearsal: readonly {
    readonly table: string;
    readonly before: number | null;
    readonly after: number | null;
  }[];
  readonly log: string;
}

/** What a roll-back would lose: rows written since the deploy, by table (contract H.5). */
export interface RollbackPlan {
  readonly app: string;
  readonly from: string;
  readonly to: string;
  readonly lostRows: readonly { readonly table: string; readonly rows: number }[];
  /** Why they could not be counted, where the data is damaged; null where they were. */
  readonly uncounted: string | null;
}

/** A deployed version that is kept. */
export interface AppVersionView {
  readonly number: number;
  readonly version: string;
  readonly deployedAt: number;
  readonly installed: boolean;
  /** Of its files. */
  readonly bytes: number;
  /** Of the data's backup from just before it. */
  readonly backupBytes: number | null;
}

/** A copy of an app's data that is kept: one taken before a deploy, or one that a roll-back or restore set aside. */
export interface AppBackupView {
  /** What `appRestore` takes. */
  readonly name: string;
  readonly takenAt: number;
  readonly bytes: number;
  /** In words: taken before which deployment, or set aside. */
  readonly why: string;
}

/** What was set aside for an exchange of an app's data, under the name that brings it back. */
export interface DataExchanged {
  readonly app: AppView;
  readonly kept: string;
}

/** An app after its shortcut was changed. */
export interface ShortcutView {
  readonly app: AppView;
  /** The desktop's own use of the same keys, so that they may not reach the app. */
  readonly alsoUsedBy: string | null;
}

/** A person who may use apps here; `owner` is always there. */
export interface PersonView {
  readonly name: string;
  readonly displayName: string;
  /** Whether what they are told appears on this machine's desktop. */
  readonly desktop: boolean;
  /** The apps they may use. */
  readonly apps: readonly string[];
  readonly unread: number;
  /** Their file; null where there is none, as for an owner of whom nothing is said. */
  readonly file: string | null;
}

/** What a person is made from. */
export interface NewPerson {
  readonly name: string;
  /** Left out: the name. */
  readonly displayName: string | null;
  /** Left out: as it was, else whether it is the owner. */
  readonly desktop: boolean | null;
}

/** Mini apps, as the daemon offers them to its owner. */
export interface AppOperations {
  apps(): Promise<readonly AppView[]>;
  app(name: string): Promise<AppView>;
  /** Writes a new app's source from the template into a folder that must not be there yet. */
  appNew(name: string, folder: string): Promise<{ readonly folder: string }>;
  /** Registers a source folder under the manifest's name. */
  appAdd(folder: string): Promise<AppView>;
  /** Everything that a deploy would refuse, for a folder that need not be registered. */
  appCheck(folder: string, onLine: (line: string) => void): Promise<readonly Problem[]>;
  appPlan(name: string): Promise<DeployPlan>;
  appDeploy(name: string, approvedHash: string, onStep: (step: DeployStep) => void): Promise<DeployReport>;
  appRollbackPlan(name: string): Promise<RollbackPlan>;
  appRollback(name: string): Promise<DataExchanged>;
  appVersions(name: string): Promise<readonly AppVersionView[]>;
  /** Settles a secret (`store:NAME` …), a folder, a service's bindings. */
  appSettle(name: string, settings: {
    readonly secrets?: Readonly<Record<string, string>>;
    readonly files?: Readonly<Record<string, string>>;
    readonly services?: Readonly<Record<string, readonly string[]>>;
  }): Promise<AppView>;
  /** The copies of an app's data that are kept, the newest first. */
  appBackups(name: string): Promise<readonly AppBackupView[]>;
  /** Copies the data, at rest and checked, into a new folder. */
  appBackup(name: string, folder: string): Promise<void>;
  /** @param from a folder that `appBackup` made, or the name of a kept backup */
  appRestore(name: string, from: string): Promise<DataExchanged>;
  appExport(name: string, file: string): Promise<void>;
  appImport(file: string): Promise<AppView>;
  appStop(name: string): Promise<void>;
  appLog(name: string): Promise<string>;
  appRename(name: string, to: string): Promise<AppView>;
  appRemove(name: string, withData: boolean): Promise<void>;
  /** A one-time link, good for 2 minutes, that sets the app's cookie (contract H.2). */
  appLink(name: string, person: string): Promise<{ readonly url: string }>;
  appShare(name: string, person: string, shared: boolean): Promise<AppView>;
  /** Binds keys of the desktop to the app's window; null takes them away. */
  appShortcut(name: string, keys: string | null): Promise<ShortcutView>;
  persons(): Promise<readonly PersonView[]>;
  personAdd(person: NewPerson): Promise<PersonView>;
  /** Forgets a person and their inbox; refused while an app is shared with them. */
  personRemove(name: string): Promise<void>;
  inbox(person: string, unreadOnly: boolean): Promise<readonly InboxItem[]>;
  inboxRead(person: string, ids: readonly string[]): Promise<void>;
  /** Takes {@linkcode inboxRead} back. */
  inboxUnread(person: string, ids: readonly string[]): Promise<void>;
}

/** Something that a person was told (contract I.9). */
export interface InboxItem {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** `app:notes`, from the registry, never from the sender. */
  readonly source: string;
  readonly at: number;
  /** A path of the source's own page. */
  readonly link: string | null;
  readonly read: boolean;
}
