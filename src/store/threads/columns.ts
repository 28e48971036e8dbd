import { errorText, HandlerError } from "../../base/mod.ts";
import { type Row, sqliteCode } from "../../platform/mod.ts";
import { number, numberOrNull, textOrNull } from "../rows.ts";
import type { LoggedError } from "./records.ts";

/** SQLite's result code for a rule of the schema that a row breaks. */
const CONSTRAINT = 19;
/** SQLite's fixed text for a key that is there already. */
const TAKEN = /^UNIQUE constraint failed/;

/** Behind every place of a thread. */
export const LAST_PLACE = Number.MAX_SAFE_INTEGER;

/** A truth as SQLite keeps it. */
export function bit(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}

/** A column that holds a truth. */
export function truth(row: Row, column: string): boolean {
  return row[column] === 1;
}

/** A failure as JSON text. */
export function errorJson(error: LoggedError | null): string | null {
  return error === null ? null : JSON.stringify(error);
}

/** A column that holds a failure or NULL. */
export function loggedError(row: Row): LoggedError | null {
  const json = textOrNull(row, "error");
  return json === null ? null : JSON.parse(json) as LoggedError;
}

/** What the column `changed` holds: the revision, where it is not the row's place. */
export function changedAt({ seq, rev }: { readonly seq: number; readonly rev: number }): number | null {
  return rev === seq ? null : rev;
}

/** The revision of a row that was read with its place as `seq`. */
export function revision(row: Row): number {
  return numberOrNull(row, "changed") ?? number(row, "seq");
}

/** Runs an insertion. @throws {HandlerError} `conflict` for a key that is taken, `invalid` for a value of the wrong kind */
export function inserting(what: string, insert: () => void): void {
  try {
    insert();
  } catch (error) {
    const cause = error instanceof HandlerError ? error.cause : error;
    if (sqliteCode(cause) !== CONSTRAINT) throw error;
    if (!TAKEN.test(errorText(cause))) {
      throw new HandlerError("invalid", `${what} cannot be added: a field holds a value of the wrong kind`, {
        cause,
      });
    }
    throw new HandlerError("conflict", `${what} cannot be added: its id or place is taken`, { cause });
  }
}

/** Refuses to go on where an update found no row. */
export function mustChange(what: string, { changes }: { readonly changes: number }): void {
  if (changes === 0) throw new HandlerError("not_found", `there is no ${what}`);
}
