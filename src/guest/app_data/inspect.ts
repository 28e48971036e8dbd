import { databasesIn } from "./databases.ts";
import { type RowCounts, rowsNotIn, settle } from "./rows.ts";

/** What is to be looked at, in folders as they are seen inside. */
export interface DataTask {
  /** A copy of an app's data, which may be written. */
  readonly data: string;
  /** An earlier copy that it is compared with, at rest. */
  readonly earlier?: string;
}

/** What was found. Tables are named `notes.db: notes` where there is more than one database. */
export interface DataFound {
  readonly rows: RowCounts;
  /** Rows that `earlier` does not have; empty without one. */
  readonly lost: RowCounts;
}

/**
 * Opens every database of a copy, brings it to rest, checks it and counts.
 * @throws {Error} which database does not count, and why
 */
export async function inspect({ data, earlier }: DataTask): Promise<DataFound> {
  const found = await databasesIn(data);
  const rows = found.map((path) => [path, attempt(path, () => settle(`${data}/${path}`))] as const);
  if (earlier === undefined) return { rows: named(rows), lost: {} };
  const known = new Set(await databasesIn(earlier));
  const lost = rows.map(([path, counts]) => {
    const compare = () => rowsNotIn(`${data}/${path}`, `${earlier}/${path}`);
    return [path, known.has(path) ? attempt(path, compare) : counts] as const;
  });
  return { rows: named(rows), lost: named(lost) };
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`the database ${path}: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

function named(counted: readonly (readonly [string, RowCounts])[]): RowCounts {
  const rows = counted.flatMap(([file, counts]) =>
    Object.entries(counts).map(([table, count]) =>
      [counted.length > 1 ? `${file}: ${table}` : table, count] as const
    )
  );
  return Object.fromEntries(rows);
}
