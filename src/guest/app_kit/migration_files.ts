import type { Database } from "./handler_app.d.ts";

/** One step of the database's shape. */
export interface Migration {
  /** From 1, without gaps. */
  readonly number: number;
  /** The file's name. */
  readonly name: string;
  /** What the file says; for a step in code too. */
  readonly text: string;
  readonly apply: (db: Database) => void;
}

const NAME = /^(\d{3})_[a-z0-9_]+\.(sql|ts|js)$/;

/** Reads the migrations of a folder, in order. @throws {Error} on a gap, a number twice, a name that is none */
export async function readMigrations(folder: URL): Promise<readonly Migration[]> {
  const names: string[] = [];
  for await (const { name, isFile } of Deno.readDir(folder)) if (isFile) names.push(name);
  const steps = await Promise.all(names.sort().map((name) => readMigration(folder, name)));
  steps.forEach(({ number, name }, index) => {
    if (number === index + 1) return;
    throw new Error(
      `migrations are numbered 001, 002 … without gaps: ${name} stands where ${index + 1} is due`,
    );
  });
  return steps;
}

async function readMigration(folder: URL, name: string): Promise<Migration> {
  const [, digits, ending] = NAME.exec(name) ?? [];
  if (digits === undefined) {
    throw new Error(`a migration is named like 001_notes.sql, found ${name}`);
  }
  const file = new URL(name, folder);
  const text = await Deno.readTextFile(file);
  const apply = ending === "sql" ? (db: Database) => db.exec(text) : await migrateOf(file);
  return { number: Number(digits), name, text, apply };
}

async function migrateOf(file: URL): Promise<Migration["apply"]> {
  const { migrate } = await import(file.href) as { migrate?: unknown };
  if (typeof migrate === "function") return migrate as Migration["apply"];
  throw new Error(`${file.pathname.split("/").at(-1)} exports no function migrate(db)`);
}
