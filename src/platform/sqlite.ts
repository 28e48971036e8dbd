import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite";

/** A row as SQLite gives it. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** An open database. Statements are prepared once per text. */
export interface Database extends Disposable {
  exec(sql: string): void;
  run(sql: string, ...values: SQLInputValue[]): { readonly changes: number };
  all(sql: string, ...values: SQLInputValue[]): readonly Row[];
  get(sql: string, ...values: SQLInputValue[]): Row | undefined;
  /** Runs `work` in one transaction: all of it counts, or nothing. */
  transaction<T>(work: () => T): T;
  /**
   * As {@linkcode transaction}, without waiting for the disk: it outlives a killed process, not a power cut. For records
   * that nobody was told of yet.
   */
  relaxed<T>(work: () => T): T;
  close(): void;
}

/** Opens (or makes) a database in WAL mode with `synchronous = FULL`; `:memory:` for one that ends with the process. */
export function openDatabase(path: string): Database {
  const raw = new DatabaseSync(path);
  raw.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;",
  );
  const prepared = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  const statement = (sql: string) => {
    let known = prepared.get(sql);
    if (!known) prepared.set(sql, known = raw.prepare(sql));
    return known;
  };
  const close = () => {
    if (raw.isOpen) raw.close();
  };
  const transaction = <T>(work: () => T): T => {
    raw.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      raw.exec("COMMIT");
      return result;
    } catch (error) {
      rollBack(raw);
      throw error;
    }
  };
  return {
    exec: (sql) => raw.exec(sql),
    run: (sql, ...values) => ({ changes: Number(statement(sql).run(...values).changes) }),
    all: (sql, ...values) => statement(sql).all(...values) as Row[],
    get: (sql, ...values) => statement(sql).get(...values) as Row | undefined,
    transaction,
    relaxed(work) {
      raw.exec("PRAGMA synchronous = NORMAL");
      try {
        return transaction(work);
      } finally {
        raw.exec("PRAGMA synchronous = FULL");
      }
    },
    close,
    [Symbol.dispose]: close,
  };
}

/** A full disk ends the transaction by itself; then there is nothing to roll back, and the first error counts. */
function rollBack(raw: DatabaseSync): void {
  try {
    raw.exec("ROLLBACK");
  } catch {
    // SQLite has rolled back already
  }
}

/** SQLite's own fixed texts: Deno gives the number only for prepared statements, not for `exec` and opening. */
const TEXTS: readonly (readonly [string, number])[] = [
  ["database is locked", 5],
  ["attempt to write a readonly database", 8],
  ["disk I/O error", 10],
  ["database disk image is malformed", 11],
  ["database or disk is full", 13],
  ["unable to open database file", 14],
  ["file is not a database", 26],
];

/**
 * The primary result code of an error that came from SQLite (13 is a full disk; 1 where SQLite does not say more);
 * undefined for any other error.
 */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_SQLITE_ERROR") return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  return TEXTS.find(([text]) => error.message.startsWith(text))?.[1] ?? 1;
}
