import { deepFreeze, HandlerError, isObject, Mutex } from "../base/mod.ts";
import { readTextIfThere, removeUnfinished, writeAtomic } from "../platform/mod.ts";
import type { App, AppSettings, AppVersion } from "./records.ts";

/** What an app is before its person has settled anything. */
export const NO_SETTINGS: AppSettings = {
  secrets: {},
  files: {},
  services: {},
  persons: [],
  shortcut: undefined,
};

const SCHEMA = 1;

/**
 * `apps.json`: which apps there are, which versions they have, what their person settled. Each change writes the whole
 * file anew and renames it into place: that rename is the moment when a deploy or roll-back has happened.
 */
export class AppRegistry {
  readonly #path: string;
  readonly #turns = new Mutex();
  #apps: ReadonlyMap<string, App>;

  readonly #listeners = new Set<() => void>();

  private constructor(path: string, apps: ReadonlyMap<string, App>) {
    this.#path = path;
    this.#apps = apps;
  }

  /** Reads the file; no apps where there is none. @throws {HandlerError} `invalid` where it cannot be read */
  static async open(path: string): Promise<AppRegistry> {
    await removeUnfinished(path);
    const text = await readTextIfThere(path);
    return new AppRegistry(path, text === undefined ? new Map() : parse(text, path));
  }

  all(): readonly App[] {
    return [...this.#apps.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Calls `listener` after each change. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  find(name: string): App | undefined {
    return this.#apps.get(name);
  }

  /** @throws {HandlerError} `not_found` */
  get(name: string): App {
    const app = this.#apps.get(name);
    if (app) return app;
    const known = [...this.#apps.keys()].join(", ") || "none";
    throw new HandlerError("not_found", `there is no app ${JSON.stringify(name)}`, {
      hint: `apps here: ${known}`,
    });
  }

  /** Puts an app in place of the one of that name, on disk before anybody sees it. */
  put(app: App): Promise<void> {
    return this.#change((apps) => apps.set(app.name, deepFreeze(app)));
  }

  /** Changes an app as it is at that moment. */
  update(name: string, change: (app: App) => App): Promise<void> {
    return this.#change((apps) => apps.set(name, deepFreeze(change(this.get(name)))));
  }

  /** Forgets an app; with `to` it goes on under another name. */
  remove(name: string, to?: App): Promise<void> {
    return this.#change((apps) => {
      apps.delete(name);
      if (to) apps.set(to.name, deepFreeze(to));
    });
  }

  #change(edit: (apps: Map<string, App>) => unknown): Promise<void> {
    return this.#turns.run(async () => {
      const apps = new Map(this.#apps);
      edit(apps);
      const text = JSON.stringify({ schema: SCHEMA, apps: [...apps.values()] }, null, 2);
      await writeAtomic(this.#path, text + "\n");
      this.#apps = apps;
      for (const listener of this.#listeners) listener();
    });
  }
}

/** The installed version; undefined before the first deploy. */
export function installed(app: App): AppVersion | undefined {
  return app.versions[0];
}

function parse(text: string, file: string): ReadonlyMap<string, App> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && value.schema === SCHEMA && Array.isArray(value.apps)) {
      return new Map(value.apps.map((app: App) => [app.name, deepFreeze(app)]));
    }
  } catch {
    // said below
  }
  throw new HandlerError("invalid", "the registry of apps cannot be read", {
    where: { file },
    hint:
      "it was written by another version of Handler or damaged; apps' data lies beside, in the data folder",
  });
}
