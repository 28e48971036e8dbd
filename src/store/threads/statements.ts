import type { Database } from "../../platform/mod.ts";
import { storeError } from "../failure.ts";

/**
 * The statements of a database, without its transactions. A bare `?` after LIMIT makes SQLite plan the statement anew each
 * time it is bound, which costs ten times the query; `+?` does not.
 */
export type Statements = Pick<Database, "run" | "all" | "get">;

/** The same statements, failing in words: `unavailable` where the disk or the file is at fault. */
export function statements(db: Database, tried: string): Statements {
  const saying = <A extends unknown[], R>(statement: (...values: A) => R) => (...values: A): R => {
    try {
      return statement(...values);
    } catch (error) {
      throw storeError(tried, error);
    }
  };
  return { run: saying(db.run), all: saying(db.all), get: saying(db.get) };
}
