import { sha256Hex, utf8 } from "../../base/mod.ts";
import type { OwnDatabase } from "./database.ts";
import type { Migration } from "./migration_files.ts";

/** What is known of a migration that has run here. */
interface Applied {
  readonly number: number;
  readonly name: string;
  readonly hash: string;
}

const TABLE = `CREATE TABLE IF NOT EXISTS handler_migrations (
  number INTEGER PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT`;

/**
 * Brings the database to the newest shape, each step in a transaction of its own: a step that fails leaves it as the
 * step before made it.
 *
 * @throws {Error} where a newer version of the app wrote the database, a step has changed since it ran, or one fails
 */
export async function migrate(db: OwnDatabase, steps: readonly Migration[]): Promise<void> {
  db.exec(TABLE);
  const applied = db.all<Applied>("SELECT number, name, hash FROM handler_migrations ORDER BY number");
  const newest = applied.at(-1);
  if (newest && newest.number > steps.length) throw tooNew(newest, steps);
  for (const step of steps) {
    const hash = await hashOf(step.text);
    const before = applied[step.number - 1];
    if (before === undefined) db.withoutForeignKeys(() => applyStep(db, step, hash));
    else if (before.hash !== hash) throw changed(step);
  }
}

function applyStep(db: OwnDatabase, step: Migration, hash: string): void {
  try {
    db.transaction(() => {
      step.apply(db);
      const [broken] = db.all<{ table: string; parent: string }>("PRAGMA foreign_key_check");
      if (broken) {
        throw new Error(`rows of ${broken.table} point to rows of ${broken.parent} that are not there`);
      }
      const at = new Date().toISOString();
      db.run("INSERT INTO handler_migrations VALUES (?, ?, ?, ?)", step.number, step.name, hash, at);
    });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the migration ${step.name} failed: ${why}`, { cause });
  }
}

/** Line ends and blanks at the end do not count. */
function hashOf(text: string): Promise<string> {
  return sha256Hex(utf8(text.replaceAll(/[ \t]*\r?\n/g, "\n").trimEnd()));
}

function tooNew(newest: Applied, steps: readonly Migration[]): Error {
  const known = steps.at(-1)?.name ?? "none";
  return new Error(
    `a newer version of this app wrote the database: it has ${newest.name}, this version's last is ${known}`,
  );
}

function changed({ name }: Migration): Error {
  return new Error(
    `${name} was changed after it had run here: put it back and write what is new into the next number`,
  );
}
