import type { Database } from "./handler_app.d.ts";
import type { OwnDatabase } from "./database.ts";
import type { Migration } from "./migration_files.ts";

/** What is known of a migration that has run here. */
interface Applied {
  readonly number: number;
  readonly name: string;
  readonly text: string;
}

const TABLE = `CREATE TABLE IF NOT EXISTS handler_migrations (
  number INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT`;

/**
 * Brings the database to the newest shape, each step in a transaction of its own: a step that fails leaves it as the
 * step before made it.
 *
 * @throws {Error} where a newer version of the app wrote the database, a step has changed since it ran, or one fails
 */
export async function migrate(db: OwnDatabase, steps: readonly Migration[]): Promise<void> {
  db.exec(TABLE);
  const applied = db.all<Applied>("SELECT number, name, text FROM handler_migrations ORDER BY number");
  const newest = applied.at(-1);
  if (newest && newest.number > steps.length) throw tooNew(newest, steps);
  for (const step of steps) {
    const before = applied[step.number - 1];
    if (before === undefined) await applyStep(db, step);
    else if (before.text !== essence(step.text)) throw changed(step);
  }
}

async function applyStep(db: OwnDatabase, step: Migration): Promise<void> {
  try {
    const apply = await step.load();
    db.withoutForeignKeys(() => db.transaction(() => run(db, step, apply)));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the migration ${step.name} failed: ${why}`, { cause });
  }
}

function run(db: OwnDatabase, { number, name, text }: Migration, apply: (db: Database) => void): void {
  apply(db);
  const [broken] = db.all<{ table: string; parent: string }>("PRAGMA foreign_key_check");
  if (broken) throw new Error(`rows of ${broken.table} point to rows of ${broken.parent} that are not there`);
  const at = new Date().toISOString();
  db.run("INSERT INTO handler_migrations VALUES (?, ?, ?, ?)", number, name, essence(text), at);
}

/** Line ends and blanks at the end of a line do not count. */
function essence(text: string): string {
  return text.replaceAll(/[ \t]*\r?\n/g, "\n").trimEnd();
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
