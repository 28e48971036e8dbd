import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Database, SqlValue } from "./handler_app.d.ts";

/** The database with what only the kit may do to it. */
export interface OwnDatabase extends Database {
  /** Runs migrations: foreign keys rest, so that a table can be made anew. */
  withoutForeignKeys<T>(work: () => T): T;
  /** Gives free pages back (`VACUUM` needs rights that an app does not have), empties the write-ahead log, closes. */
  close(): void;
}

/** So many pages of 4 KiB are given back at most when the app stops: a stop must not take long. */
const PAGES_FREED = 4096;

/**
 * Opens a database so that what was answered is on the disk: WAL, every commit synced, a writer waited for. `:memory:`
 * is one that ends with the process.
 */
export function openDatabase(path: string): OwnDatabase {
  const raw = new DatabaseSync(path);
  raw.exec("PRAGMA auto_vacuum = INCREMENTAL"); // counts for a new file only
  raw.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON;",
  );
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    let known = prepared.get(sql);
    if (!known) prepared.set(sql, known = raw.prepare(sql));
    return known;
  };
  return {
    run(sql, ...values) {
      const { changes, lastInsertRowid } = statement(sql).run(...inputs(values));
      return { changes: Number(changes), id: Number(lastInsertRowid) };
    },
    get: <T extends object>(sql: string, ...values: SqlValue[]) =>
      statement(sql).get(...inputs(values)) as T | undefined,
    all: <T extends object>(sql: string, ...values: SqlValue[]) =>
      statement(sql).all(...inputs(values)) as T[],
    exec: (sql) => raw.exec(sql),
    transaction: (work) => transaction(raw, work),
    withoutForeignKeys(work) {
      raw.exec("PRAGMA foreign_keys = OFF");
      try {
        return work();
      } finally {
        raw.exec("PRAGMA foreign_keys = ON");
      }
    },
    close() {
      if (!raw.isOpen) return;
      raw.prepare(`PRAGMA incremental_vacuum(${PAGES_FREED})`).all(); // a row for each page: exec takes one
      raw.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      raw.close();
    },
  };
}

function inputs(values: readonly SqlValue[]): SQLInputValue[] {
  return values as SQLInputValue[];
}

/** A transaction inside another is a part of it. */
function transaction<T>(raw: DatabaseSync, work: () => T): T {
  if (raw.isTransaction) return work();
  raw.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    if (result instanceof Promise) throw new TypeError("a transaction cannot wait: no async work inside");
    raw.exec("COMMIT");
    return result;
  } catch (error) {
    if (raw.isTransaction) raw.exec("ROLLBACK"); // a full disk has rolled back by itself
    throw error;
  }
}
