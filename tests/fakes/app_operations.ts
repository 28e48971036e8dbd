import { HandlerError } from "../../src/base/mod.ts";
import type {
  AppBackupView,
  AppOperations,
  AppView,
  DeployPlan,
  DeployReport,
  DeployStep,
  InboxItem,
  NewPerson,
  PersonView,
} from "../../src/api/mod.ts";
import { MemoryThreads } from "./thread_operations.ts";

const HASH = "a".repeat(64);
const AT = 1_700_000_000_000;

/** Mini apps that are all in memory; an app whose version is `9.9.9` fails its tests at the deploy. */
export class MemoryApps extends MemoryThreads implements AppOperations {
  readonly appMap = new Map<string, AppView>();
  readonly personMap = new Map<string, PersonView>([[
    "owner",
    person({ name: "owner", displayName: null, desktop: true }),
  ]]);
  inboxItems: InboxItem[] = [];
  newNeeds: readonly string[] = [];
  unsettled: readonly string[] = [];
  readyVersion = "0.2.0";
  lostRows: readonly { readonly table: string; readonly rows: number }[] = [];
  uncounted: string | null = null;
  backupViews: readonly AppBackupView[] = [];
  /** What was asked that leaves no trace in a view. */
  readonly done: string[] = [];

  async apps() {
    return await [...this.appMap.values()];
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async app(name: string) {
    return this.#have(name);
  }

  async appNew(name: string, folder: string) {
    await this.done.push(`new ${name} ${folder}`);
    return { folder };
  }

  async appAdd(folder: string) {
    const name = folder.split("/").at(-1) ?? "";
    const view: AppView = {
      name,
      description: "Short notes",
      source: folder,
      url: `http://${name}.localhost:7430/`,
      state: "not deployed",
      failure: null,
      version: null,
      deployedAt: null,
      ready: this.readyVersion,
      persons: ["owner"],
      shortcut: null,
      dataBytes: 0,
    };
    this.appMap.set(name, view);
    return await view;
  }

  async appCheck(folder: string, onLine: (line: string) => void) {
    onLine("the manifest");
    if (folder.endsWith("/sound")) return [];
    return await [{
      where: `${folder}/app.toml:3:needs.egres`,
      message: "unknown key",
      hint: 'did you mean "egress"?',
    }];
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async appPlan(name: string): Promise<DeployPlan> {
    const { ready, version } = this.#have(name);
    return {
      app: name,
      version: ready ?? version ?? "",
      hash: HASH,
      installed: version,
      asks: [],
      memory: { bytes: 2 ** 28, before: null },
      needs: { all: this.newNeeds },
      newNeeds: this.newNeeds,
      unsettled: this.unsettled,
      problems: [],
    };
  }

  async appDeploy(
    name: string,
    approvedHash: string,
    onStep: (step: DeployStep) => void,
  ): Promise<DeployReport> {
    const before = this.#have(name);
    if (approvedHash !== HASH) {
      throw new HandlerError("conflict", "the manifest has changed since it was shown");
    }
    const version = before.ready ?? before.version ?? "";
    const failed = version === "9.9.9";
    const steps: DeployStep[] = [];
    const step = (step: DeployStep["step"], state: DeployStep["state"], detail: string) => {
      onStep({ step, state: "started", ms: 0, detail: "" });
      steps.push({ step, state, ms: 12, detail });
      onStep(steps.at(-1)!);
    };
    step("snapshot", "done", `version ${version}`);
    if (failed) {
      step("test", "failed", "the app's tests ended with 1\nnotes ... FAILED");
      const log = "the app's tests ended with 1\nnotes ... FAILED";
      return await { schema: 1, app: name, deployed: false, version: "", steps, rehearsal: [], log };
    }
    step("test", "done", "ok | 3 passed");
    step("backup", "done", "copied and checked; rows: notes 2");
    step("rehearse", "done", "healthy; rows: notes 2 → 2");
    step("switch", "done", `version ${version} is installed`);
    this.appMap.set(name, { ...before, version, ready: null, deployedAt: AT, state: "stopped" });
    const rehearsal = [{ table: "notes", before: 2, after: 2 }, { table: "tags", before: null, after: 0 }];
    return await { schema: 1, app: name, deployed: true, version, steps, rehearsal, log: "" };
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async appRollbackPlan(name: string) {
    this.#have(name);
    const { lostRows, uncounted } = this;
    return { app: name, from: "0.2.0 (deployment 2)", to: "0.1.0 (deployment 1)", lostRows, uncounted };
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async appRollback(name: string) {
    const app = { ...this.#have(name), version: "0.1.0", ready: "0.2.0" };
    this.appMap.set(name, app);
    return { app, kept: "kept-1" };
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async appVersions(name: string) {
    const { version, deployedAt } = this.#have(name);
    if (version === null) return [];
    return [
      { number: 2, version, deployedAt: deployedAt ?? AT, installed: true, bytes: 2048, backupBytes: 4096 },
      { number: 1, version: "0.1.0", deployedAt: AT, installed: false, bytes: 1024, backupBytes: null },
    ];
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async appSettle(name: string, settings: Parameters<AppOperations["appSettle"]>[1]) {
    this.done.push(`settle ${name} ${JSON.stringify(settings)}`);
    return this.#have(name);
  }

  async appBackups(name: string) {
    this.#have(name);
    return await this.backupViews;
  }

  async appBackup(name: string, folder: string) {
    await this.done.push(`backup ${this.#have(name).name} ${folder}`);
  }

  async appRestore(name: string, from: string) {
    await this.done.push(`restore ${name} ${from}`);
    return { app: this.#have(name), kept: "kept-2" };
  }

  async appExport(name: string, file: string) {
    await this.done.push(`export ${this.#have(name).name} ${file}`);
  }

  async appImport(file: string) {
    this.done.push(`import ${file}`);
    return await this.appAdd("/data/apps/notes/source/notes");
  }

  async appStop(name: string) {
    await this.done.push(`stop ${this.#have(name).name}`);
  }

  async appLog(name: string) {
    return await `started\u001b[2J ${this.#have(name).name}\n`;
  }

  async appRename(name: string, to: string) {
    const app = { ...this.#have(name), name: to };
    this.appMap.delete(name);
    this.appMap.set(to, app);
    return await app;
  }

  async appRemove(name: string, withData: boolean) {
    this.#have(name);
    this.appMap.delete(name);
    await this.done.push(`remove ${name}${withData ? " with data" : ""}`);
  }

  deskLink() {
    return Promise.resolve({ url: "http://localhost:7430/_handler/open#token-of-the-desk" });
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async appLink(name: string, person: string) {
    return { url: `${this.#have(name).url}_handler/open#token-of-${person}` };
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async appShare(name: string, person: string, shared: boolean) {
    const app = this.#have(name);
    const others = app.persons.filter((one) => one !== person);
    const view = { ...app, persons: shared ? [...others, person] : others };
    this.appMap.set(name, view);
    return view;
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async appShortcut(name: string, keys: string | null) {
    const app = { ...this.#have(name), shortcut: keys };
    this.appMap.set(name, app);
    return {
      app,
      alsoUsedBy: keys === "<Super>n" ? "org.gnome.shell.keybindings focus-active-notification" : null,
    };
  }

  async persons() {
    return await [...this.personMap.values()];
  }

  async personAdd(given: NewPerson) {
    const view = person(given);
    this.personMap.set(given.name, view);
    return await view;
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async personRemove(name: string) {
    if (!this.personMap.delete(name)) throw new HandlerError("not_found", `there is no person ${name}`);
  }

  async inbox(_person: string, unreadOnly: boolean) {
    return await this.inboxItems.filter(({ read }) => !unreadOnly || !read);
  }

  async inboxRead(person: string, ids: readonly string[]) {
    await this.done.push(`read ${person} ${ids.join(",")}`);
    this.inboxItems = this.inboxItems.map((item) => ids.includes(item.id) ? { ...item, read: true } : item);
  }

  async inboxUnread(person: string, ids: readonly string[]) {
    await this.done.push(`unread ${person} ${ids.join(",")}`);
    this.inboxItems = this.inboxItems.map((item) => ids.includes(item.id) ? { ...item, read: false } : item);
  }

  #have(name: string): AppView {
    const app = this.appMap.get(name);
    if (app === undefined) throw new HandlerError("not_found", `there is no app ${name}`);
    return app;
  }
}

function person({ name, displayName, desktop }: NewPerson): PersonView {
  const file = name === "owner" ? null : `/config/persons/${name}.toml`;
  return { name, displayName: displayName ?? name, desktop: desktop ?? false, apps: [], unread: 0, file };
}
