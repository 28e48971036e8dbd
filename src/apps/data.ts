import { HandlerError } from "../base/mod.ts";
import {
  checkpointDatabase,
  copyTreeGuarded,
  isSqliteFile,
  removeAll,
  rename,
  type RowCounts,
  rowsNotIn,
  statIfThere,
  verifyDatabase,
  walkFiles,
} from "../platform/mod.ts";

/** What of an app's data is copied at most. */
const DATA_LIMIT = 64 * 1024 ** 3;
/** Files beside a database that mean nothing without it once it is checkpointed. */
const SIDE_FILES = ["-wal", "-shm", "-journal"] as const;

/** Rows by table, tables named `notes.db: notes` where the app has more than one database. */
export type TableRows = Readonly<Record<string, number>>;

/**
 * Copies the data of an app whose backend does not run (contract H.4): write-ahead logs are moved into the databases, then
 * everything is copied without following or filling anything, and every database of the copy is opened and queried.
 *
 * @returns the rows of the copy's tables
 * @throws {HandlerError} where the copy does not count; the target is then gone
 */
export async function copyData(from: string, to: string): Promise<TableRows> {
  for (const path of await databases(from)) checkpoint(path);
  try {
    await copyTreeGuarded(from, to, { limitBytes: DATA_LIMIT, links: "refuse", leaveOut: [] });
    return await rowsOf(to);
  } catch (error) {
    await removeAll(to);
    throw error;
  }
}

function checkpoint(path: string): void {
  try {
    checkpointDatabase(path);
  } catch (error) {
    throw new HandlerError("unavailable", `the database ${baseName(path)} could not be brought to rest`, {
      cause: error,
    });
  }
}

/** The rows of every table of every database in a data folder, each checked. */
export async function rowsOf(folder: string): Promise<TableRows> {
  const found = await databases(folder);
  return named(found.map((path) => [baseName(path), verifyDatabase(path)]));
}

/** The rows that the current data has and an earlier copy has not, by table. Both are at rest. */
export async function rowsLost(current: string, earlier: string): Promise<TableRows> {
  const counted: [string, RowCounts][] = [];
  for (const path of await databases(current)) {
    const before = earlier + path.slice(current.length);
    const known = await statIfThere(before);
    counted.push([baseName(path), known ? rowsNotIn(path, before) : verifyDatabase(path)]);
  }
  return named(counted);
}

/** Puts a checked copy in the place of the data; what was there is kept under `kept`. Both renames are of one folder. */
export async function exchangeData(data: string, fresh: string, kept: string): Promise<void> {
  if (await statIfThere(data)) await rename(data, kept);
  await rename(fresh, data);
}

/** Regular files that begin as a database does; links and everything else are not looked into. */
async function databases(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { path, kind } of await walkFiles(folder)) {
    if (kind !== "file" || SIDE_FILES.some((ending) => path.endsWith(ending))) continue;
    if (await isSqliteFile(`${folder}/${path}`)) found.push(`${folder}/${path}`);
  }
  return found;
}

function named(counted: readonly (readonly [string, RowCounts])[]): TableRows {
  const rows = counted.flatMap(([file, counts]) =>
    Object.entries(counts).map(([table, count]) =>
      [counted.length > 1 ? `${file}: ${table}` : table, count] as const
    )
  );
  return Object.fromEntries(rows);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
