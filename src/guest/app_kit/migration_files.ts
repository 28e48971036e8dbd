import type { Database } from "./handler_app.d.ts";

/** One step of the database's shape. */
export interface Migration {
  /** From 1, without gaps. */
  readonly number: number;
  /** The file's name. */
  readonly name: string;
  /** What the file says; for a step in code too. */
  readonly text: string;
  /** Makes it ready to run; code is loaded only then. */
  readonly load: () => Promise<(db: Database) => void>;
}

const NAME = /^(\d{3})_[a-z0-9_]+\.(sql|ts|js)$/;

/**
 * Reads the migrations of a folder, in order. Nothing else goes on while an app starts, so nothing is waited for.
 * @throws {Error} on a gap, a number twice, a name that is none
 */
export function readMigrations(folder: URL): readonly Migration[] {
  const names = [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile).map(({ name }) => name).sort();
  const steps = names.map((name) => readMigration(folder, name));
  steps.forEach(({ number, name }, index) => {
    if (number === index + 1) return;
    throw new Error(
      `migrations are numbered 001, 002 … without gaps: ${name} stands where ${index + 1} is due`,
    );
  });
  return steps;
}

function readMigration(folder: URL, name: string): Migration {
  const [, digits, ending] = NAME.exec(name) ?? [];
  if (digits === undefined) {
    throw new Error(`a migration is named like 001_notes.sql, found ${name}`);
  }
  const file = new URL(name, folder);
  const text = Deno.readTextFileSync(file);
  const load = ending === "sql"
    ? () => Promise.resolve((db: Database) => db.exec(text))
    : () => migrateOf(file);
  return { number: Number(digits), name, text, load };
}

async function migrateOf(file: URL): Promise<(db: Database) => void> {
  const { migrate } = await import(file.href) as { migrate?: unknown };
  if (typeof migrate === "function") return migrate as (db: Database) => void;
  throw new Error(`${file.pathname.split("/").at(-1)} exports no function migrate(db)`);
}
