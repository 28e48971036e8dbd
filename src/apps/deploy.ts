import { asHandlerError, HandlerError, newId, ProblemList, utf8Text } from "../base/mod.ts";
import {
  copyTreeGuarded,
  ensureFolder,
  removeAll,
  removeQuietly,
  rename,
  setMode,
  statIfThere,
  tailOfFile,
} from "../platform/mod.ts";
import { appVersionHash } from "./version_hash.ts";
import { testSandbox } from "./app_sandbox.ts";
import { startBackend } from "./backend.ts";
import type { Backends } from "./backends.ts";
import { copyData, DATA_LIMIT } from "./data.ts";
import { inspectData, type TableRows } from "./inspect.ts";
import { approvalHash, readManifest } from "./manifest.ts";
import { placesOf } from "./places.ts";
import { removeOld } from "./old.ts";
import type { AppsPorts } from "./ports.ts";
import type { App, AppManifest, AppVersion } from "./records.ts";
import { installed } from "./registry.ts";
import { checkSource, takeSnapshot, VERSION_FOLDERS } from "./snapshot.ts";
import { testModules } from "./test_modules.ts";

/** The five steps (seed §4), in order. */
export const DEPLOY_STEPS = ["snapshot", "test", "backup", "rehearse", "switch"] as const;

/** One of {@linkcode DEPLOY_STEPS}. */
export type DeployStepName = (typeof DEPLOY_STEPS)[number];

/** What is told of a step. */
export interface DeployProgress {
  readonly step: DeployStepName;
  readonly state: "started" | "done" | "failed";
  readonly ms: number;
  readonly detail: string;
}

/** How many rows each table had before and after the migration on a copy of the real data; null where it is not there. */
export type Rehearsal = readonly {
  readonly table: string;
  readonly before: number | null;
  readonly after: number | null;
}[];

/** A deploy that went through. */
export interface Deployed {
  readonly version: AppVersion;
  readonly rehearsal: Rehearsal;
}

/** How many versions are kept: the installed one and two before it (seed §4). */
const KEPT = 3;

/** What is deployed, and who hears of it. */
export interface DeployOptions {
  readonly app: App;
  /** The hash that the person was shown (contract H.5). */
  readonly approved: string;
  readonly onStep: (progress: DeployProgress) => void;
}

/**
 * Deploys what lies in an app's source folder. Until the registry is written in the last step nothing that counts has
 * changed: whatever fails or kills the daemon before leaves the installed version and the data as they were.
 *
 * @throws {HandlerError} what failed, after telling the step
 */
export async function deploy(
  ports: AppsPorts,
  backends: Backends,
  options: DeployOptions,
): Promise<Deployed> {
  const { app } = options;
  const places = placesOf(ports.folders, app.name);
  const fresh = `${places.scratch}/version-${newId()}`;
  const step = stepper(ports, options.onStep);
  try {
    const manifest = await step("snapshot", () => snapshot(app, options.approved, fresh));
    await step("test", () => runTests(ports, app, manifest, fresh));
    return await backends.quiesced(app.name, () => switchOver(ports, app, manifest, fresh, step));
  } finally {
    await removeQuietly(places.scratch);
    await removeOld(ports, app.name);
  }
}

type Stepper = <T>(name: DeployStepName, work: () => Promise<{ detail: string; value: T }>) => Promise<T>;

function stepper({ clock }: AppsPorts, tell: (progress: DeployProgress) => void): Stepper {
  return async (step, work) => {
    const from = clock.monotonic();
    const ms = () => Math.round(clock.monotonic() - from);
    tell({ step, state: "started", ms: 0, detail: "" });
    try {
      const { detail, value } = await work();
      tell({ step, state: "done", ms: ms(), detail });
      return value;
    } catch (error) {
      const { message, hint } = asHandlerError(error);
      tell({ step, state: "failed", ms: ms(), detail: hint ? `${message}\n${hint}` : message });
      throw error;
    }
  };
}

async function snapshot(app: App, approved: string, to: string) {
  const { manifest, problems } = await checkSource(app.source);
  if (!manifest || problems.length > 0) throw new ProblemList(`the app ${app.name}`, problems);
  if (manifest.name !== app.name) {
    throw new HandlerError("conflict", `the folder ${app.source} now holds the app ${manifest.name}`, {
      hint: `add it under its own name: handler app add ${app.source}`,
    });
  }
  if (await approvalHash(manifest) !== approved) {
    throw new HandlerError("conflict", "the manifest has changed since it was shown", {
      hint: "look at it again",
    });
  }
  await takeSnapshot(app.source, manifest, to);
  if (JSON.stringify(await readManifest(to)) !== JSON.stringify(manifest)) {
    throw new HandlerError("conflict", "the manifest was changed while it was copied");
  }
  return { detail: `version ${manifest.version}`, value: manifest };
}

/** The version's own tests, in a sandbox with an empty data folder, without egress and without secrets. */
async function runTests(ports: AppsPorts, app: App, manifest: AppManifest, version: string) {
  if ((await testModules(`${version}/${VERSION_FOLDERS.server}`)).length === 0) {
    return { detail: "the app has no tests", value: undefined };
  }
  const { scratch } = placesOf(ports.folders, app.name);
  const data = `${scratch}/test-data`, run = `${ports.folders.runtime}/a/${newId().slice(-11)}`;
  const logFile = `${scratch}/test.log`;
  try {
    for (const folder of [data, run]) {
      await ensureFolder(folder);
      await setMode(folder, 0o777);
    }
    const sandbox = await ports.startSandbox(testSandbox({
      name: `test-${app.name}-${newId().slice(-11)}`,
      app: app.name,
      manifest,
      version,
      data,
      run,
      guest: ports.guestFolder,
      logFile,
    }));
    const { code, reason } = await sandbox.exited;
    const output = utf8Text(tailOfFile(logFile, 16_384)).trim();
    if (code !== 0) {
      const how = reason === "exited" ? `ended with ${code}` : `were stopped (${reason})`;
      throw new HandlerError("invalid", `the app's tests ${how}`, { hint: output });
    }
    return { detail: output.split("\n").at(-1) ?? "passed", value: undefined };
  } finally {
    await removeQuietly(run);
  }
}

/** The steps that need the backend at rest; calls wait meanwhile. */
async function switchOver(
  ports: AppsPorts,
  app: App,
  manifest: AppManifest,
  fresh: string,
  step: Stepper,
): Promise<Deployed> {
  const places = placesOf(ports.folders, app.name);
  const number = (installed(app)?.number ?? 0) + 1;
  const backup = installed(app) && places.backup(`${number}`);
  const copy = `${places.scratch}/data`;
  const before = await step("backup", () => backUp(ports, app, backup, copy));
  const rehearsal = await step(
    "rehearse",
    () => rehearse(ports, app, { manifest, folder: fresh }, copy, before),
  );
  const version = await step("switch", async () => {
    const folder = places.version(number);
    await removeAll(folder);
    await ensureFolder(places.versions, 0o755);
    await rename(fresh, folder);
    const hash = await appVersionHash(folder);
    const value: AppVersion = { number, manifest, hash, deployedAt: ports.clock.now(), folder, backup };
    await ports.registry.update(
      app.name,
      (now) => ({ ...now, versions: [value, ...now.versions].slice(0, KEPT) }),
    );
    return { detail: `version ${manifest.version} is installed`, value };
  });
  return { version, rehearsal };
}

/** Two copies of the data: the backup, opened and queried before it counts, and from it one for the rehearsal. */
async function backUp(ports: AppsPorts, { name }: App, backup: string | undefined, copy: string) {
  const { data } = placesOf(ports.folders, name);
  const none = !await statIfThere(data);
  if (none) await ensureFolder(data, 0o755); // a version that was never called has an empty backup to go back to
  const to = backup ?? copy;
  await removeAll(to);
  const { rows } = await copyData(ports, { app: name, from: data, to, livePath: data, what: "whole" });
  if (backup) {
    await copyTreeGuarded(backup, copy, { limitBytes: DATA_LIMIT, links: "refuse", leaveOut: [] });
  }
  return { detail: none ? "there is no data yet" : rowText(rows), value: rows };
}

/** Starts the new version on the copy: its migrations run there, and it must become healthy. */
async function rehearse(
  ports: AppsPorts,
  app: App,
  version: Pick<AppVersion, "manifest" | "folder">,
  copy: string,
  before: TableRows,
) {
  const backend = await startBackend(ports, { app, version, data: copy, mode: "rehearsal" }, undefined);
  await backend.stop();
  const { rows: after } = await inspectData(ports, { app: app.name, folder: copy, livePath: copy });
  const tables = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const rehearsal: Rehearsal = tables.map((table) => {
    return { table, before: before[table] ?? null, after: after[table] ?? null };
  });
  const changes = rehearsal.map(({ table, before, after }) => `${table} ${before ?? "-"} → ${after ?? "-"}`);
  return {
    detail: changes.length === 0 ? "healthy, no tables" : `healthy; rows: ${changes.join(", ")}`,
    value: rehearsal,
  };
}

function rowText(rows: TableRows): string {
  const tables = Object.entries(rows).map(([table, count]) => `${table} ${count}`);
  return tables.length === 0 ? "copied; no tables" : `copied and checked; rows: ${tables.join(", ")}`;
}
