/**
 * A home with mini apps in a real sandbox and their origins on a free port, without the rest of a daemon.
 * @module
 */
import { join } from "node:path";
import { type DeskParts, OriginSessions, serveOrigins } from "../../src/api/mod.ts";
import { AppRegistry, Apps, type AppsPorts, type Deployed } from "../../src/apps/mod.ts";
import { makeLogger, systemClock } from "../../src/base/mod.ts";
import { ensureFolder, type Folders, type FrontServer, privateUmask } from "../../src/platform/mod.ts";
import { createSandboxes, type DriverName, type Sandboxes } from "../../src/sandbox/mod.ts";
import { ROOT } from "../../tools/repository.ts";
import { layApp, type SmallApp } from "./small_app.ts";

export const GUEST = join(ROOT, "build/guest");

/** A home, its apps and, once asked for, their origins. */
export interface Desk extends AsyncDisposable {
  readonly root: string;
  readonly folders: Folders;
  readonly apps: Apps;
  readonly sessions: OriginSessions;
  readonly sandboxes: Sandboxes;
  /** What was logged. */
  readonly lines: string[];
  /** How many backends have been started. */
  readonly starts: { count: number };
  /** The port of the apps' origins, served from the first call on. */
  port(): Promise<number>;
  /** Lays an app's source and registers it. */
  lay(app: Partial<SmallApp> & { readonly name: string }): Promise<string>;
  /** Deploys what lies in an app's source; `onStep` hears the steps. */
  deploy(name: string, onStep?: Parameters<Apps["deploy"]>[2]): Promise<Deployed>;
}

/** What a test may set. */
export interface DeskOptions {
  readonly driver?: DriverName;
  /** The home of an earlier desk. */
  readonly at?: string;
  readonly ports?: Partial<AppsPorts>;
}

/** Makes a desk; what it holds is gone at its end, unless the home was given. */
export async function makeDesk(options: DeskOptions = {}): Promise<Desk> {
  privateUmask();
  const root = options.at ?? await Deno.realPath(await Deno.makeTempDir({ prefix: "hk-" }));
  const folders = foldersOf(root);
  for (const folder of Object.values(folders)) await ensureFolder(folder);
  const lines: string[] = [];
  const log = makeLogger((level, message, fields) =>
    lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  );
  const sandboxes = makeSandboxes(folders, options.driver ?? "bubblewrap");
  const starts = { count: 0 };
  const apps = new Apps({
    clock: systemClock,
    log,
    folders,
    registry: await AppRegistry.open(`${folders.state}/apps.json`),
    guestFolder: GUEST,
    startSandbox: (spec) => {
      if (spec.name.startsWith("app-")) starts.count++;
      return sandboxes.start(spec);
    },
    prepareSandbox: async (spec) => {
      const prepared = await sandboxes.prepare(spec);
      return {
        ...prepared,
        start() {
          starts.count++;
          return prepared.start();
        },
      };
    },
    resolveSecret: (reference) => Promise.resolve({ value: JSON.stringify(reference), release() {} }),
    openServices: () => Promise.resolve({ close: () => Promise.resolve() }),
    openApi: () => Promise.resolve(() => Promise.resolve()),
    isPerson: () => true,
    onPersons: () => {},
    stateChanged: () => {},
    idleMs: () => 600_000,
    ...options.ports,
  });
  const sessions = await OriginSessions.make(systemClock, new Uint8Array(32).fill(7));
  let server: Promise<FrontServer> | undefined;
  return {
    root,
    folders,
    apps,
    sessions,
    sandboxes,
    lines,
    starts,
    port: async () => (await (server ??= serveOrigins({ apps, desk: NO_DESK, sessions, log, port: 0 }))).port,
    async lay(app) {
      const source = await layApp(`${root}/source/${app.name}`, app);
      await apps.add(source);
      return source;
    },
    deploy: async (name, onStep = () => {}) => await apps.deploy(name, (await apps.plan(name)).hash, onStep),
    async [Symbol.asyncDispose]() {
      await (await server)?.stop();
      await apps.close();
      await sandboxes.reap([]);
      if (options.at === undefined) await Deno.remove(root, { recursive: true });
    },
  };
}

const NO_DESK: DeskParts = {
  page: () => Promise.resolve(undefined),
  ask: () => Promise.reject(new Error("nobody asks at the desk here")),
};

/** The four folders of a home. */
export function foldersOf(root: string): Folders {
  return { config: `${root}/c`, data: `${root}/d`, state: `${root}/s`, runtime: `${root}/r` };
}

function makeSandboxes(folders: Folders, driver: DriverName): Sandboxes {
  return createSandboxes({
    log: makeLogger(() => {}),
    clock: systemClock,
    runtimeFolder: folders.runtime,
    stateFolder: folders.state,
    instanceId: crypto.randomUUID(),
    config: { sandbox: driver, image: undefined, egress: { caFile: undefined, dial: {} } },
    deno: Deno.execPath(),
    guestFolder: GUEST,
    onConnect: () => () => {},
    onEgress: () => {},
  });
}
