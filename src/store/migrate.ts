import { HandlerError } from "../base/mod.ts";
import { type Database, openDatabase, removeAll, rename } from "../platform/mod.ts";
import type { Migration } from "./migrations.ts";

/**
 * Brings a database to the newest shape, each step in its own transaction. Before the first step a copy is made beside
 * the file (`<path>.v<N>.backup`), opened and checked; a new or current file needs none.
 *
 * @throws {HandlerError} `conflict` when the file was written by a newer Handler.
 */
export async function migrate(db: Database, path: string, steps: readonly Migration[]): Promise<void> {
  const found = versionOf(db);
  const newest = steps.at(-1)?.version ?? 0;
  if (found > newest) throw tooNew(path, found, newest);
  const due = steps.filter(({ version }) => version > found);
  if (due.length > 0 && found > 0 && path !== ":memory:") await backUp(db, path, found);
  for (const step of due) apply(db, step);
}

function versionOf(db: Database): number {
  return Number(db.get("PRAGMA user_version")?.user_version ?? 0);
}

function apply(db: Database, step: Migration): void {
  db.transaction(() => {
    db.exec(step.sql);
    db.exec(`PRAGMA user_version = ${step.version}`);
  });
}

function tooNew(path: string, found: number, newest: number): HandlerError {
  return new HandlerError(
    "conflict",
    `${path} has shape ${found}, this Handler knows shapes up to ${newest}`,
    { hint: "start the newer Handler that wrote it, or put back the backup that lies beside it" },
  );
}

async function backUp(db: Database, path: string, version: number): Promise<void> {
  const target = `${path}.v${version}.backup`;
  const fresh = `${target}.new`;
  await removeAll(fresh);
  db.exec(`VACUUM INTO '${fresh.replaceAll("'", "''")}'`);
  check(fresh, version);
  for (const extra of ["-wal", "-shm"]) await removeAll(fresh + extra);
  await rename(fresh, target);
}

/** A copy counts once it has been opened and read. */
function check(path: string, version: number): void {
  using copy = openDatabase(path);
  const verdict = copy.get("PRAGMA integrity_check")?.integrity_check;
  if (verdict === "ok" && versionOf(copy) === version) return;
  throw new HandlerError("unavailable", `the backup ${path} could not be read back, so nothing was changed`);
}
