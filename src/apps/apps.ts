import { dirname } from "node:path";
import { HandlerError, NAME_RULE } from "../base/mod.ts";
import { OWNER } from "../config/mod.ts";
import {
  copyTreeGuarded,
  ensureFolder,
  realPath,
  removeAll,
  rename,
  statIfThere,
  tailOfFile,
} from "../platform/mod.ts";
import { Backends, type BackendState } from "./backends.ts";
import { checkFolder } from "./check_folder.ts";
import { copyData } from "./data.ts";
import { deploy, type Deployed, type DeployProgress } from "./deploy.ts";
import { approvalHash, isAppName, readManifest } from "./manifest.ts";
import { type ComparedNeed, compareNeeds, needTexts, unsettledNeeds } from "./needs.ts";
import { removeOld } from "./old.ts";
import { placesOf } from "./places.ts";
import type { AppsPorts } from "./ports.ts";
import type { App, AppManifest, AppServing, AppSettings, RunningBackend } from "./records.ts";
import { type AppRegistry, installed, NO_SETTINGS } from "./registry.ts";
import { planRollback, recoverApp, restoreData, rollback, type RollbackPlan } from "./rollback.ts";
import { VERSION_FOLDERS } from "./snapshot.ts";

/** What a deploy would install, as the person is shown it. */
export interface Plan {
  readonly manifest: AppManifest;
  /** What {@linkcode Apps.deploy} must be given back. */
  readonly hash: string;
  /** All needs, beside those of the installed version. */
  readonly needs: readonly ComparedNeed[];
  /** What this version needs and the installed one does not, in words. */
  readonly newNeeds: readonly string[];
  /** Secrets, folders and services that nobody has settled yet. */
  readonly unsettled: readonly string[];
}

/** Mini apps: deployed with rehearsal, run while used, rolled back in one step (contract H). */
export class Apps implements AppServing {
  readonly #ports: AppsPorts;
  readonly #backends: Backends;
  /** Apps that a deploy, roll-back or the like works on: a second one is refused, not queued. */
  readonly #busy = new Map<string, string>();
  /** Apps that are being removed: they are nobody's already. */
  readonly #leaving = new Set<string>();
  readonly #accessListeners = new Set<() => void>();

  constructor(ports: AppsPorts) {
    this.#ports = ports;
    this.#backends = new Backends(ports);
    ports.registry.onChange(() => this.#tellAccess());
    ports.onPersons(() => this.#tellAccess());
  }

  get registry(): AppRegistry {
    return this.#ports.registry;
  }

  /** Brings every app back to a whole state after a crash. @returns what was done, in words */
  async recover(): Promise<readonly string[]> {
    const done: string[] = [];
    for (const app of this.registry.all()) {
      const what = await recoverApp(this.#ports, app);
      if (what) done.push(what);
      await removeOld(this.#ports, app.name);
    }
    return done;
  }

  /** Registers a source folder under the name in its manifest; once more moves the app to that folder. */
  async add(folder: string): Promise<App> {
    const source = await realPath(folder);
    const { name } = await readManifest(source);
    const known = this.registry.find(name);
    if (known && known.source !== source && await statIfThere(known.source)) {
      throw new HandlerError("conflict", `the app ${name} is developed in ${known.source}`, {
        hint: `remove it first (its data stays): handler app remove ${name}`,
      });
    }
    await this.registry.put(
      known ? { ...known, source } : { name, source, settings: NO_SETTINGS, versions: [] },
    );
    return this.registry.get(name);
  }

  /** Everything that a deploy would refuse before it runs anything. */
  async check(folder: string): Promise<readonly HandlerError[]> {
    return await checkFolder(folder);
  }

  /** What would be deployed now. @throws {ProblemList} where the source would be refused */
  async plan(name: string): Promise<Plan> {
    const app = this.registry.get(name);
    const manifest = await readManifest(app.source);
    const before = installed(app)?.manifest;
    return {
      manifest,
      hash: await approvalHash(manifest),
      needs: compareNeeds(manifest, before),
      newNeeds: needTexts(manifest).filter((need) => !before || !needTexts(before).includes(need)),
      unsettled: unsettledNeeds(manifest, app.settings),
    };
  }

  /** See {@linkcode deploy}; one at a time per app. */
  async deploy(
    name: string,
    approved: string,
    onStep: (progress: DeployProgress) => void,
  ): Promise<Deployed> {
    return await this.#alone(name, "deployed", async (app) => {
      const manifest = await readManifest(app.source);
      const missing = unsettledNeeds(manifest, app.settings);
      if (missing.length > 0) {
        throw new HandlerError("conflict", `the app ${name} cannot be deployed yet: ${missing.join("; ")}`, {
          hint: `settle it: handler app settle ${name} --help`,
        });
      }
      return await deploy(this.#ports, this.#backends, { app, approved, onStep });
    });
  }

  /** What a roll-back would lose. */
  async planRollback(name: string): Promise<RollbackPlan> {
    return await this.#alone(name, "looked at", (app) => planRollback(this.#ports, this.#backends, app));
  }

  /** See {@linkcode rollback}. @returns the name of the backup that takes it back */
  async rollback(name: string): Promise<string> {
    return await this.#alone(name, "rolled back", (app) => rollback(this.#ports, this.#backends, app));
  }

  /** Copies the data, at rest and checked, into a new folder. */
  async backup(name: string, to: string): Promise<void> {
    if (await statIfThere(to)) throw new HandlerError("conflict", `there is something at ${to} already`);
    const { data } = placesOf(this.#ports.folders, name);
    await this.#alone(
      name,
      "backed up",
      () => this.#backends.quiesced(name, () => this.#copy(name, data, to)),
    );
  }

  /** Puts a copy in the place of the data; what was there is kept. @returns the name of the backup of before */
  async restore(name: string, from: string): Promise<string> {
    const kept = await this.#alone(
      name,
      "restored",
      (app) => restoreData(this.#ports, this.#backends, app, from),
    );
    this.#ports.stateChanged(name);
    return kept;
  }

  /** Changes what the person has settled; a running backend is stopped, so that the next call has it. */
  async settle(name: string, change: (settings: AppSettings) => AppSettings): Promise<App> {
    return await this.#alone(name, "changed", async () => {
      await this.registry.update(name, (app) => ({ ...app, settings: change(app.settings) }));
      await this.#backends.stop(name);
      return this.registry.get(name);
    });
  }

  /** Ends the backend; the next call starts it again. */
  async stop(name: string): Promise<void> {
    this.registry.get(name);
    await this.#backends.stop(name);
  }

  /** The app under another name, with its versions and data; its manifest must say the new name at the next deploy. */
  async rename(name: string, to: string): Promise<App> {
    return await this.#alone(name, "renamed", async (app) => {
      if (!isAppName(to)) {
        throw new HandlerError("usage", `an app's name must be ${NAME_RULE}, found ${JSON.stringify(to)}`);
      }
      if (this.registry.find(to)) throw new HandlerError("conflict", `there is an app ${to} already`);
      const [old, fresh] = [placesOf(this.#ports.folders, name), placesOf(this.#ports.folders, to)];
      await this.#backends.quiesced(name, async () => {
        if (await statIfThere(old.root)) await rename(old.root, fresh.root);
        const moved = (path: string) =>
          path.startsWith(old.root) ? fresh.root + path.slice(old.root.length) : path;
        const versions = app.versions.map((version) => ({
          ...version,
          folder: moved(version.folder),
          backup: version.backup && moved(version.backup),
        }));
        await this.registry.remove(name, { ...app, name: to, versions });
      });
      return this.registry.get(to);
    });
  }

  /** Forgets an app. Its data folder stays unless `withData`. */
  async remove(name: string, withData: boolean): Promise<void> {
    await this.#alone(name, "removed", async () => {
      const places = placesOf(this.#ports.folders, name);
      this.#leaving.add(name);
      this.#tellAccess();
      try {
        await this.#backends.quiesced(name, async () => {
          await this.registry.remove(name);
          if (withData) await removeAll(places.root);
          else for (const path of [places.versions, places.scratch, places.log]) await removeAll(path);
        });
      } finally {
        this.#leaving.delete(name);
      }
    });
  }

  /** Copies the whole app (installed version, data, manifest) into a folder that another machine imports. */
  async exportTo(name: string, folder: string): Promise<void> {
    await this.#alone(name, "exported", async (app) => {
      const version = installed(app);
      if (!version) {
        throw new HandlerError("conflict", `the app ${name} is not deployed, so there is nothing to export`);
      }
      await ensureFolder(folder);
      const options = { limitBytes: Number.MAX_SAFE_INTEGER, links: "keep", leaveOut: [] } as const;
      await copyTreeGuarded(version.folder, `${folder}/version`, options);
      const { data } = placesOf(this.#ports.folders, name);
      if (await statIfThere(data)) {
        await this.#backends.quiesced(name, () => this.#copy(name, data, `${folder}/data`));
      }
    });
  }

  /**
   * Takes in what {@linkcode exportTo} made: the data, and as the app's source the files of the exported version. The
   * person deploys it then, and so sees what it needs.
   */
  async importFrom(folder: string): Promise<App> {
    const manifest = await readManifest(`${folder}/version`);
    const places = placesOf(this.#ports.folders, manifest.name);
    if (this.registry.find(manifest.name) || await statIfThere(places.data)) {
      throw new HandlerError("conflict", `there is an app or data of the name ${manifest.name} already`);
    }
    const source = `${places.root}/source`;
    await removeAll(source);
    await ensureFolder(dirname(`${source}/${manifest.uiFolder}`), 0o755);
    await rename(`${folder}/version/${VERSION_FOLDERS.ui}`, `${source}/${manifest.uiFolder}`);
    await ensureFolder(dirname(dirname(`${source}/${manifest.serverEntry}`)), 0o755);
    await rename(`${folder}/version/${VERSION_FOLDERS.server}`, `${source}/${dirname(manifest.serverEntry)}`);
    await rename(`${folder}/version/app.toml`, `${source}/app.toml`);
    if (await statIfThere(`${folder}/data`)) await this.#copy(manifest.name, `${folder}/data`, places.data);
    return await this.add(source);
  }

  /** How an app's backend stands. */
  state(name: string): BackendState {
    return this.#backends.state(name);
  }

  /** Why an app's last start failed, with the end of what it printed as the hint. */
  failure(name: string): HandlerError | undefined {
    return this.#backends.failure(name);
  }

  /** The end of what an app's backends printed. */
  log(name: string): Uint8Array {
    this.registry.get(name);
    return tailOfFile(placesOf(this.#ports.folders, name).log, 64 * 1024);
  }

  page(name: string): { readonly folder: string; readonly mark: string } | undefined {
    const app = this.registry.find(name);
    const version = app && installed(app);
    if (version) this.#backends.expect(name);
    return version && { folder: `${version.folder}/${VERSION_FOLDERS.ui}`, mark: version.hash.slice(0, 16) };
  }

  acquire(name: string, signal: AbortSignal): Promise<RunningBackend> {
    return this.#backends.acquire(name, signal);
  }

  mayUse(name: string, person: string): boolean {
    const app = this.#leaving.has(name) ? undefined : this.registry.find(name);
    if (!app) return false;
    return person === OWNER || (this.#ports.isPerson(person) && app.settings.persons.includes(person));
  }

  onAccess(listener: () => void): void {
    this.#accessListeners.add(listener);
  }

  #tellAccess(): void {
    for (const listener of this.#accessListeners) listener();
  }

  /** Stops every backend. */
  async close(): Promise<void> {
    await this.#backends.close();
  }

  async #copy(app: string, from: string, to: string): Promise<void> {
    const livePath = placesOf(this.#ports.folders, app).data;
    await copyData(this.#ports, { app, from, to, livePath, what: "whole" });
  }

  async #alone<T>(name: string, what: string, work: (app: App) => Promise<T>): Promise<T> {
    const app = this.registry.get(name);
    const other = this.#busy.get(name);
    if (other) {
      throw new HandlerError(
        "conflict",
        `the app ${name} is being ${other}; it cannot be ${what} at the same time`,
      );
    }
    this.#busy.set(name, what);
    try {
      return await work(app);
    } finally {
      this.#busy.delete(name);
    }
  }
}
