import { HandlerError } from "../base/mod.ts";
import { sqliteCode } from "../platform/mod.ts";

const REASONS: Readonly<Record<number, string>> = {
  5: "it is locked by another program",
  8: "it may only be read",
  10: "the disk reports an error",
  11: "the file is damaged",
  13: "the disk is full",
  14: "it could not be opened",
  26: "the file is not a SQLite database",
};

const HINTS: Readonly<Record<number, string>> = {
  11: "stop handlerd and put back the backup that lies beside the file, or move the file away to begin anew",
  13: "free some space on the disk of the state folder",
  26: "move the file away to begin anew",
};

/** Result codes after which the same write may work later: busy, read-only, I/O, full, cannot open. */
const PASSING: readonly number[] = [5, 8, 10, 13, 14];

/** Whether an error says that the disk or file, not the statement, is at fault. */
export function isStorageFailure(error: unknown): boolean {
  return PASSING.includes(sqliteCode(error) ?? -1);
}

/** An error of SQLite as an `unavailable` one that says what was tried; others pass through. */
export function storeError(tried: string, error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === undefined) return error;
  const reason = REASONS[code];
  if (!reason) return new HandlerError("internal", `${tried}: SQLite error ${code}`, { cause: error });
  const hint = HINTS[code];
  return new HandlerError("unavailable", `${tried}: ${reason}`, { cause: error, ...(hint ? { hint } : {}) });
}

/** Runs `work` and turns an error of SQLite as {@linkcode storeError} does. */
export function storing<T>(tried: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeError(tried, error);
  }
}
