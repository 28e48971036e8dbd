import { DatabaseSync } from "node:sqlite";

/** Rows by table, of every table that the app made itself. */
export type RowCounts = Readonly<Record<string, number>>;

/**
 * Brings a database to rest (what stands in its journal or write-ahead log goes into the file), checks it and counts its
 * rows.
 * @throws {Error} where it is damaged or in use
 */
export function settle(path: string): RowCounts {
  return withDatabase(path, (db) => {
    const { busy } = db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
    if (busy !== 0) throw new Error("it is still in use");
    const { quick_check } = db.prepare("PRAGMA quick_check(1)").get() as { quick_check: string };
    if (quick_check !== "ok") throw new Error(`it is damaged: ${quick_check}`);
    return Object.fromEntries(tablesOf(db).map(({ name }) => [name, countRows(db, name)]));
  });
}

/**
 * How many rows of `current` are not in `earlier`, by table: all of a table that `earlier` does not have, else those
 * that differ in the columns that both have. Both are at rest and only read. Deno lets no program with limited rights
 * attach a database, so the two are walked side by side.
 */
export function rowsNotIn(current: string, earlier: string): RowCounts {
  return withDatabase(current, (now) =>
    withDatabase(earlier, (before) => {
      const known = new Set(tablesOf(before).map(({ name }) => name));
      const counts = tablesOf(now).map((table) =>
        [
          table.name,
          known.has(table.name) ? differing(now, before, table) : countRows(now, table.name),
        ] as const
      );
      return Object.fromEntries(counts);
    }));
}

function withDatabase<T>(path: string, use: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path);
  try {
    db.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
    return use(db);
  } finally {
    db.close();
  }
}

interface Table {
  readonly name: string;
  /** Whether its rows have numbers of their own, which tell two equal rows apart. */
  readonly numbered: boolean;
}

/** Where the app kit keeps which migrations have run: nobody's data. */
const MIGRATIONS = "handler_migrations";

/** Tables, without SQLite's own, the app kit's, views, and what a virtual table is made of. */
function tablesOf(db: DatabaseSync): readonly Table[] {
  const rows = db.prepare("PRAGMA main.table_list").all() as { name: string; type: string; wr: number }[];
  return rows.filter(({ name, type }) =>
    type === "table" && name !== MIGRATIONS && !name.startsWith("sqlite_")
  )
    .map(({ name, wr }) => ({ name, numbered: wr === 0 }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function countRows(db: DatabaseSync, table: string): number {
  return numberOf(db, `SELECT count(*) AS n FROM main.${quoted(table)}`);
}

function differing(now: DatabaseSync, before: DatabaseSync, { name, numbered }: Table): number {
  const known = columnsOf(before, name);
  const shared = columnsOf(now, name).filter((column) => known.includes(column));
  if (shared.length === 0) return countRows(now, name);
  const number = numbered ? ["rowid", "_rowid_", "oid"].find((word) => !shared.includes(word)) : undefined;
  const body = shared.map((column) => `quote(${quoted(column)})`).join(" || ',' || ");
  if (number === undefined) return notAmong(bodies(now, name, body), new Set(bodies(before, name, body)));
  return notAt(numberedRows(now, name, number, body), numberedRows(before, name, number, body));
}

function* bodies(db: DatabaseSync, table: string, body: string): Generator<string> {
  const rows = db.prepare(`SELECT ${body} AS body FROM main.${quoted(table)}`).iterate();
  for (const row of rows) yield row.body as string;
}

function notAmong(now: Iterable<string>, before: ReadonlySet<string>): number {
  let count = 0;
  for (const body of now) if (!before.has(body)) count++;
  return count;
}

interface NumberedRow {
  readonly id: bigint;
  readonly body: string;
}

function numberedRows(db: DatabaseSync, table: string, number: string, body: string): Iterator<NumberedRow> {
  const rows = db.prepare(`SELECT ${number} AS id, ${body} AS body FROM main.${quoted(table)} ORDER BY 1`);
  rows.setReadBigInts(true);
  return rows.iterate() as unknown as Iterator<NumberedRow>;
}

/** Both come in the order of their numbers. */
function notAt(now: Iterator<NumberedRow>, before: Iterator<NumberedRow>): number {
  let count = 0;
  let other = before.next();
  for (let row = now.next(); !row.done; row = now.next()) {
    while (!other.done && other.value.id < row.value.id) other = before.next();
    const same = !other.done && other.value.id === row.value.id && other.value.body === row.value.body;
    if (!same) count++;
  }
  return count;
}

function columnsOf(db: DatabaseSync, table: string): readonly string[] {
  const rows = db.prepare(`PRAGMA main.table_info(${quoted(table)})`).all() as { name: string }[];
  return rows.map(({ name }) => name);
}

function numberOf(db: DatabaseSync, sql: string): number {
  return Number((db.prepare(sql).get() as { n: number }).n);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
