import { newId } from "../base/mod.ts";
import { ensureFolder, removeQuietly, setMode, statIfThere } from "../platform/mod.ts";
import { parseEgress, type PreparedSandbox, type SandboxSpec } from "../sandbox/mod.ts";
import { appSandbox } from "./app_sandbox.ts";
import { placesOf } from "./places.ts";
import type { AppsPorts } from "./ports.ts";
import type { App, AppVersion } from "./records.ts";

/** What a backend is started on: the installed version on the live data, or another on a copy. */
export interface BackendInput {
  readonly app: App;
  readonly version: Pick<AppVersion, "manifest" | "folder">;
  readonly data: string;
  /** `live` has the app's secrets, egress and services; a rehearsal has none: it must not act on the world. */
  readonly mode: "live" | "rehearsal";
}

/** The host folder of one backend's sockets. */
export interface RunFolder {
  /** Tells this start from every other. */
  readonly serial: string;
  readonly path: string;
}

/** Makes the folder of a backend's sockets. The folders above are the person's alone; the sandbox's user may be another. */
export async function makeRunFolder({ folders }: AppsPorts): Promise<RunFolder> {
  const serial = newId().slice(-11);
  const path = `${folders.runtime}/a/${serial}`;
  for (const folder of [path, `${path}/services`]) {
    await ensureFolder(folder);
    await setMode(folder, 0o777);
  }
  return { serial, path };
}

/** The sandbox of a backend. */
export function backendSandbox(
  ports: AppsPorts,
  { app, version, data, mode }: BackendInput,
  run: RunFolder,
  secretEnv: Readonly<Record<string, string>>,
): SandboxSpec {
  return appSandbox({
    name: `app-${app.name}-${run.serial}`,
    app: app.name,
    manifest: version.manifest,
    version: version.folder,
    data,
    run: run.path,
    guest: ports.guestFolder,
    egress: mode === "live" ? version.manifest.needs.egress.map(parseEgress) : [],
    secretEnv,
    files: mode === "live" ? app.settings.files : {},
    logFile: placesOf(ports.folders, app.name).log,
  });
}

/** A sandbox that waits for an app's next call, and the folder that it will serve from. */
export interface Waiting {
  readonly run: RunFolder;
  readonly sandbox: PreparedSandbox;
  /** Whether what it sees are still the files and folders that stand at those paths. */
  isFresh(): Promise<boolean>;
  discard(): Promise<void>;
}

/** Makes the sandbox of an app that has no secrets. */
export async function makeWaiting(ports: AppsPorts, input: BackendInput): Promise<Waiting> {
  await ensureFolder(input.data, 0o755);
  const run = await makeRunFolder(ports);
  try {
    const spec = backendSandbox(ports, input, run, {});
    const seen = await identities(spec);
    const sandbox = await ports.prepareSandbox(spec);
    return {
      run,
      sandbox,
      isFresh: async () => await identities(spec) === seen,
      async discard() {
        await sandbox.discard();
        await removeQuietly(run.path);
      },
    };
  } catch (error) {
    await removeQuietly(run.path);
    throw error;
  }
}

/** What is mounted, by device and number: a folder that was exchanged has another. */
async function identities({ mounts }: SandboxSpec): Promise<string> {
  const infos = await Promise.all(mounts.map(({ source }) => statIfThere(source)));
  return infos.map((info) => `${info?.dev}:${info?.ino}`).join(" ");
}
