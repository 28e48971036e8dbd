import { serveAppApi } from "../api/mod.ts";
import { AppRegistry, Apps, gnomeShortcuts, installed, type Shortcuts } from "../apps/mod.ts";
import { type Logger, systemClock } from "../base/mod.ts";
import type { Changes } from "./changes.ts";
import type { ConfigurationHolder } from "../config/mod.ts";
import { Inbox, sessionDesktop } from "../inbox/mod.ts";
import { env, type Folders, ownCommand, PLACES } from "../platform/mod.ts";
import type { Sandboxes, SandboxSpec } from "../sandbox/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import type { Services } from "../services/mod.ts";
import type { Store } from "../store/mod.ts";
import { askedForDeno } from "./asked_for_deno.ts";
import { homeFiles } from "./home.ts";
import { createOrigins, type OriginServer } from "./origins.ts";
import type { Shipped } from "./shipped.ts";

/** Mini apps and all that they reach a person by. */
export interface MiniApps {
  readonly apps: Apps;
  readonly inbox: Inbox;
  readonly origins: OriginServer;
  readonly shortcuts: Shortcuts;
}

/** What {@linkcode loadApps} builds them from. */
export interface MiniAppParts {
  readonly folders: Folders;
  readonly log: Logger;
  readonly configuration: ConfigurationHolder;
  readonly changes: Changes;
  readonly store: Store;
  readonly secrets: Secrets;
  readonly shipped: Shipped;
  readonly sandboxes: Sandboxes;
  readonly services: Services;
}

/** The apps of the registry, the inbox that they tell persons through, their origins and shortcuts. */
export async function loadApps(parts: MiniAppParts): Promise<MiniApps> {
  const { folders, log, configuration, changes, store, secrets, shipped, sandboxes, services } = parts;
  const clock = systemClock;
  const files = homeFiles(folders);
  const registry = await AppRegistry.open(files.apps);
  const person = (name: string) => configuration.current().persons.get(name);
  const inbox = new Inbox({ clock, log, messages: store.inbox, desktop: sessionDesktop({ log }), person });
  const driverOf = async (spec: SandboxSpec) => {
    const driver = await sandboxes.chosen();
    const app = { kind: "app", name: spec.labels.app ?? spec.name, shipped: false } as const;
    if (driver.name === "deno") askedForDeno(app, configuration.current().main);
    return driver;
  };
  const apps: Apps = new Apps({
    clock,
    log,
    folders,
    registry,
    guestFolder: shipped.guest,
    startSandbox: async (spec) => await (await driverOf(spec)).start(spec),
    prepareSandbox: async (spec) => await (await driverOf(spec)).prepare(spec),
    resolveSecret: (reference, slot) => secrets.resolve(reference, slot),
    openServices: (caller, folder) =>
      services.open({ ...caller, session: caller.id, privacy: "any" }, folder),
    async openApi(app, socket) {
      const mayNotify = () => installed(registry.get(app))?.manifest.needs.notify ?? false;
      const mayUse = (name: string) => apps.mayUse(app, name);
      const put = inbox.put.bind(inbox);
      const server = await serveAppApi({ app, log, mayNotify, mayUse, put }, socket);
      return () => server.stop(0);
    },
    isPerson: (name) => person(name) !== undefined,
    stateChanged: (app) => changes.tell("apps", app),
    onPersons: (listener) => void configuration.subscribe(listener),
    idleMs: () => appIdleMs(),
  });
  return {
    apps,
    inbox,
    origins: createOrigins({ apps, pageFolder: shipped.page, clock, log, keyFile: files.originKey }),
    shortcuts: gnomeShortcuts({ command: openCommand }),
  };
}

/** What a desktop runs to open an app's window: this very program, in the folders that this daemon was given. */
function openCommand(app: string): readonly string[] {
  const given = PLACES.flatMap(({ variable }) => {
    const value = env(variable);
    return value === undefined ? [] : [`${variable}=${value}`];
  });
  const words = [...ownCommand("handler"), "app", "open", app];
  return given.length === 0 ? words : ["env", ...given, ...words];
}

const APP_IDLE_SECONDS = 600;

/** HANDLER_APP_IDLE_TIMEOUT, in seconds; 10 minutes otherwise (seed §4). */
function appIdleMs(): number {
  const seconds = Number(env("HANDLER_APP_IDLE_TIMEOUT") ?? APP_IDLE_SECONDS);
  return (Number.isFinite(seconds) && seconds > 0 ? seconds : APP_IDLE_SECONDS) * 1000;
}
