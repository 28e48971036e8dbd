import { text } from "../rows.ts";
import type { ThreadReads, ThreadWrites } from "./ports.ts";
import type { Statements } from "./statements.ts";
import type { ThreadCache } from "./thread_cache.ts";

/** A table of values, and the column that says whose they are. */
const TABLES = { thread: ["thread_values", "t"], person: ["person_values", "person"] } as const;

type Whose = keyof typeof TABLES;
type Owner = number | string | undefined;
type Reads = Pick<ThreadReads, "value" | "values" | "personValue" | "personValues">;

/** Reads of values, of threads and of persons. */
export function valueReads(db: Statements, threads: ThreadCache): Reads {
  return {
    value: (thread, key) => get(db, "thread", threads.key(thread), key),
    values: (thread) => all(db, "thread", threads.key(thread)),
    personValue: (person, key) => get(db, "person", person, key),
    personValues: (person) => all(db, "person", person),
  };
}

/** Writes of values. */
export function valueWrites(
  db: Statements,
  threads: ThreadCache,
): Pick<ThreadWrites, "putValue" | "putPersonValue"> {
  return {
    putValue: (thread, key, value) => put(db, "thread", threads.mustHave(thread), key, value),
    putPersonValue: (person, key, value) => put(db, "person", person, key, value),
  };
}

function get(db: Statements, whose: Whose, owner: Owner, key: string): string | undefined {
  if (owner === undefined) return undefined;
  const [table, column] = TABLES[whose];
  const row = db.get(`SELECT value FROM ${table} WHERE ${column} = ? AND key = ?`, owner, key);
  return row && text(row, "value");
}

function all(db: Statements, whose: Whose, owner: Owner): ReturnType<ThreadReads["values"]> {
  if (owner === undefined) return [];
  const [table, column] = TABLES[whose];
  const rows = db.all(`SELECT key, value FROM ${table} WHERE ${column} = ? ORDER BY key`, owner);
  return rows.map((row) => ({ key: text(row, "key"), value: text(row, "value") }));
}

function put(
  db: Statements,
  whose: Whose,
  owner: number | string,
  key: string,
  value: string | undefined,
): void {
  const [table, column] = TABLES[whose];
  if (value === undefined) db.run(`DELETE FROM ${table} WHERE ${column} = ? AND key = ?`, owner, key);
  else db.run(`INSERT OR REPLACE INTO ${table} (${column}, key, value) VALUES (?, ?, ?)`, owner, key, value);
}
