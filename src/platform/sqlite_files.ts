import { DatabaseSync } from "node:sqlite";
import { HandlerError } from "../base/mod.ts";

const MAGIC = "SQLite format 3\0";

/** Whether a file begins as SQLite databases do. */
export async function isSqliteFile(path: string): Promise<boolean> {
  using file = await Deno.open(path);
  const head = new Uint8Array(16);
  const count = await file.read(head);
  return count === 16 && new TextDecoder().decode(head) === MAGIC;
}

/** Moves what stands in a database's write-ahead log into the file itself; nobody else may have it open. */
export function checkpointDatabase(path: string): void {
  const db = new DatabaseSync(path);
  try {
    const row = db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
    if (row.busy !== 0) throw new HandlerError("conflict", "a database of the app is still in use");
  } finally {
    db.close();
  }
}

/** Rows by table, of every table that is not SQLite's own. */
export type RowCounts = Readonly<Record<string, number>>;

/**
 * Opens a database, checks it and counts every table's rows: a copy counts as one only after this.
 * @throws {HandlerError} `invalid` where the file is damaged
 */
export function verifyDatabase(path: string): RowCounts {
  const db = openReadOnly(path);
  try {
    const check = db.prepare("PRAGMA quick_check(1)").get() as { quick_check: string };
    if (check.quick_check !== "ok") {
      throw new HandlerError("invalid", `a database is damaged: ${check.quick_check}`);
    }
    return Object.fromEntries(tablesOf(db, "main").map((table) => [table, countRows(db, table)]));
  } finally {
    db.close();
  }
}

/**
 * How many rows of `current` are not in `earlier`, by table: all of a table that `earlier` does not have, else those
 * that differ in the columns that both have. Both files are only read.
 */
export function rowsNotIn(current: string, earlier: string): RowCounts {
  const db = openReadOnly(current);
  try {
    db.exec(`ATTACH DATABASE 'file:${encodeURI(earlier).replaceAll("'", "%27")}?mode=ro' AS earlier`);
    const before = tablesOf(db, "earlier");
    return Object.fromEntries(
      tablesOf(db, "main").map((
        table,
      ) => [table, before.includes(table) ? differing(db, table) : countRows(db, table)]),
    );
  } finally {
    db.close();
  }
}

function openReadOnly(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly: true });
  } catch (error) {
    throw new HandlerError("invalid", "a database of the app cannot be opened", { cause: error });
  }
}

function tablesOf(db: DatabaseSync, schema: "main" | "earlier"): readonly string[] {
  const sql =
    `SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ` +
    "ORDER BY name";
  return (db.prepare(sql).all() as { name: string }[]).map(({ name }) => name);
}

function countRows(db: DatabaseSync, table: string): number {
  return Number((db.prepare(`SELECT count(*) AS n FROM main.${quoted(table)}`).get() as { n: number }).n);
}

function differing(db: DatabaseSync, table: string): number {
  const before = columnsOf(db, "earlier", table);
  const columns = columnsOf(db, "main", table).filter((column) => before.includes(column)).map(quoted).join(
    ", ",
  );
  if (columns === "") return countRows(db, table);
  const select = (schema: string) => `SELECT ${columns} FROM ${schema}.${quoted(table)}`;
  const sql = `SELECT count(*) AS n FROM (${select("main")} EXCEPT ${select("earlier")})`;
  return Number((db.prepare(sql).get() as { n: number }).n);
}

function columnsOf(db: DatabaseSync, schema: "main" | "earlier", table: string): readonly string[] {
  const rows = db.prepare(`PRAGMA ${schema}.table_info(${quoted(table)})`).all() as { name: string }[];
  return rows.map(({ name }) => name);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
