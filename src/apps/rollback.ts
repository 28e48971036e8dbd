import { HandlerError, newId } from "../base/mod.ts";
import {
  ensureFolder,
  readTextIfThere,
  removeAll,
  removeQuietly,
  removeUnfinished,
  statIfThere,
  writeAtomic,
} from "../platform/mod.ts";
import type { Backends } from "./backends.ts";
import { copyData, exchangeData } from "./data.ts";
import type { DataFound, TableRows } from "./inspect.ts";
import { nextAside, removeOld } from "./old.ts";
import { type AppPlaces, placesOf } from "./places.ts";
import type { AppsPorts } from "./ports.ts";
import type { App, AppVersion } from "./records.ts";
import { installed } from "./registry.ts";

/** A roll-back before it is done: from what to what, and which rows would be lost. */
export interface RollbackPlan {
  readonly from: AppVersion;
  readonly to: AppVersion;
  readonly lost: TableRows;
  /** Why the rows could not be counted: the data may be what makes a person go back. */
  readonly uncounted: string | undefined;
}

/** Written before the data is exchanged, so that a daemon killed in between can finish it. */
interface Intent {
  /** The checked copy that becomes the data. */
  readonly fresh: string;
  /** Where the data of before is kept. */
  readonly kept: string;
  /** The number of the version that goes; undefined for a restore, which keeps the version. */
  readonly dropped: number | undefined;
}

/**
 * What a roll-back would do (contract H.5). The rows are counted on a copy, with the backend stopped for the moment of the
 * copy.
 */
export async function planRollback(ports: AppsPorts, backends: Backends, app: App): Promise<RollbackPlan> {
  const [from, to] = app.versions;
  if (!from || !to) {
    throw new HandlerError("conflict", `the app ${app.name} has no earlier version to go back to`);
  }
  const places = placesOf(ports.folders, app.name);
  const copy = `${places.scratch}/count-${newId()}`;
  try {
    const { lost, uncounted } = await backends.quiesced(app.name, () =>
      counted(copyData(ports, {
        app: app.name,
        from: places.data,
        to: copy,
        livePath: places.data,
        what: "files", // a version that has planted a link must not keep its person from leaving it
        ...(from.backup ? { earlier: from.backup } : {}),
      })));
    const written = Object.entries(lost).filter(([, rows]) => rows > 0);
    return { from, to, lost: Object.fromEntries(written), uncounted };
  } finally {
    await removeQuietly(copy);
  }
}

async function counted(copying: Promise<DataFound>): Promise<Pick<RollbackPlan, "lost" | "uncounted">> {
  try {
    return { lost: (await copying).lost, uncounted: undefined };
  } catch (error) {
    if (error instanceof HandlerError && error.kind === "invalid") {
      return { lost: {}, uncounted: error.message };
    }
    throw error;
  }
}

/**
 * Goes back to the version before, with the very files that ran then and the data of that time. What is replaced is kept
 * as a backup of its own, so that the roll-back can be taken back.
 * @returns the name of that backup
 */
export async function rollback(ports: AppsPorts, backends: Backends, app: App): Promise<string> {
  const [from, to] = app.versions;
  if (!from || !to || !from.backup) {
    throw new HandlerError("conflict", `the app ${app.name} has no earlier version to go back to`);
  }
  const source = from.backup;
  return await backends.quiesced(app.name, () => exchange(ports, app, source, from.number));
}

/** Puts a backup in the place of the data and keeps the installed version. @returns the name of the backup of before */
export async function restoreData(
  ports: AppsPorts,
  backends: Backends,
  app: App,
  backup: string,
): Promise<string> {
  return await backends.quiesced(app.name, () => exchange(ports, app, backup, undefined));
}

async function exchange(
  ports: AppsPorts,
  app: App,
  source: string,
  dropped: number | undefined,
): Promise<string> {
  const places = placesOf(ports.folders, app.name);
  const name = await nextAside(places.backups, ports.clock.now());
  const intent: Intent = { fresh: `${places.root}/data.new`, kept: places.backup(name), dropped };
  await ensureFolder(places.backups, 0o700);
  await removeAll(intent.fresh);
  const copying = {
    app: app.name,
    from: source,
    to: intent.fresh,
    livePath: places.data,
    what: "whole",
  } as const;
  await copyData(ports, copying);
  await writeAtomic(places.intent, JSON.stringify(intent));
  await finish(ports, app.name, places, intent);
  await removeOld(ports, app.name);
  return name;
}

/** What the intent says, from whatever point on: each part is done once, however often this is called. */
async function finish(ports: AppsPorts, name: string, places: AppPlaces, intent: Intent): Promise<void> {
  if (await statIfThere(intent.fresh)) {
    const moved = await statIfThere(intent.kept) !== undefined;
    if (moved) await removeAll(places.data); // an empty folder that a start may have made in between
    await exchangeData(places.data, intent.fresh, intent.kept);
  }
  if (intent.dropped !== undefined) {
    await ports.registry.update(name, (app) => {
      return app.versions[0]?.number === intent.dropped ? { ...app, versions: app.versions.slice(1) } : app;
    });
  }
  await removeAll(places.intent);
}

/** Finishes what a daemon that was killed had begun, and removes what it had not. @returns what was done, in words */
export async function recoverApp(ports: AppsPorts, app: App): Promise<string | undefined> {
  const places = placesOf(ports.folders, app.name);
  const text = await readTextIfThere(places.intent);
  const begun = await statIfThere(places.scratch) ?? await statIfThere(`${places.root}/data.new`);
  if (text !== undefined) await finish(ports, app.name, places, JSON.parse(text) as Intent);
  await removeQuietly(`${places.root}/data.new`);
  await removeQuietly(places.scratch);
  await removeUnfinished(places.intent);
  if (text === undefined && !begun) return undefined;
  const version = installed(ports.registry.get(app.name));
  const stands = version ? `version ${version.manifest.version} is installed` : "no version is installed";
  const what = text === undefined ? "was broken off or had just ended" : "was finished now";
  return `the app ${app.name}: a change of an earlier daemon's ${what}; ${stands}`;
}
