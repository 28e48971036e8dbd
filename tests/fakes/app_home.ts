import { AppRegistry, Apps, type AppsPorts } from "../../src/apps/mod.ts";
import { makeLogger, systemClock } from "../../src/base/mod.ts";
import type { Folders } from "../../src/platform/mod.ts";
import { layApp, type SmallApp } from "../apps/small_app.ts";
import { type FakeBackend, FakeSandboxes } from "./app_sandbox.ts";

/** Apps over a home of their own, in sandboxes that are none. */
export interface AppHome extends AsyncDisposable {
  readonly root: string;
  readonly folders: Folders;
  readonly apps: Apps;
  readonly sandboxes: FakeSandboxes;
  readonly lines: string[];
  /** The apps as a daemon finds them that starts on this home. */
  again(): Promise<Apps>;
  /** Lays a small app's source, registers and deploys it. */
  install(app: Partial<SmallApp> & { readonly name: string }): Promise<string>;
  deploy(name: string): ReturnType<Apps["deploy"]>;
}

/** Makes such a home; it is gone at its end. */
export async function appHome(
  backend: FakeBackend = {},
  ports: Partial<AppsPorts> = {},
): Promise<AppHome> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "ah-" }));
  const folders = { config: `${root}/c`, data: `${root}/d`, state: `${root}/s`, runtime: `${root}/r` };
  for (const folder of Object.values(folders)) await Deno.mkdir(folder);
  const sandboxes = new FakeSandboxes(backend);
  const lines: string[] = [];
  const make = async () =>
    new Apps({
      clock: systemClock,
      log: makeLogger((_, message) => lines.push(message)),
      folders,
      registry: await AppRegistry.open(`${folders.state}/apps.json`),
      guestFolder: root,
      startSandbox: sandboxes.start,
      prepareSandbox: sandboxes.prepare,
      resolveSecret: () => Promise.resolve({ value: "secret", release() {} }),
      openServices: () => Promise.resolve({ close: () => Promise.resolve() }),
      openApi: () => Promise.resolve(() => Promise.resolve()),
      isPerson: () => true,
      onPersons: () => {},
      stateChanged: () => {},
      idleMs: () => 600_000,
      ...ports,
    });
  const apps = await make();
  const deploy = async (name: string) => await apps.deploy(name, (await apps.plan(name)).hash, () => {});
  return {
    root,
    folders,
    apps,
    sandboxes,
    lines,
    again: make,
    deploy,
    async install(app) {
      const source = await layApp(`${root}/source/${app.name}`, app);
      await apps.add(source);
      await deploy(app.name);
      return source;
    },
    async [Symbol.asyncDispose]() {
      await apps.close();
      await Deno.remove(root, { recursive: true });
    },
  };
}
