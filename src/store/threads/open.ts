import { dirname } from "node:path";
import type { Clock, Logger } from "../../base/mod.ts";
import { type Database, ensureFolder, openDatabase } from "../../platform/mod.ts";
import { storeError, storing } from "../failure.ts";
import { migrate } from "../migrate.ts";
import { changeReads } from "./changes.ts";
import { effectReads, effectWrites } from "./effect_rows.ts";
import { envReads, envWrites } from "./env_rows.ts";
import { fileReads, fileWrites } from "./file_rows.ts";
import { GroupCommit } from "./group_commit.ts";
import { type Statements, statements } from "./statements.ts";
import { logReads, logWrites } from "./log_rows.ts";
import { messageReads, messageWrites } from "./message_rows.ts";
import type { StoreSnapshot, ThreadReads, ThreadStore, ThreadWrites } from "./ports.ts";
import { THREAD_MIGRATIONS } from "./schema.ts";
import { sessionReads, sessionWrites } from "./session_rows.ts";
import { ThreadCache } from "./thread_cache.ts";
import { threadReads, threadWrites } from "./thread_rows.ts";
import { turnReads, turnWrites } from "./turn_rows.ts";
import { valueReads, valueWrites } from "./value_rows.ts";

/** What {@linkcode openThreadStore} needs. */
export interface ThreadStoreOptions {
  /** The file; `:memory:` for a store that ends with the process. */
  readonly path: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** 16 MB of pages are kept in memory, as far as they are used; the log is taken into the file every 16 MB. */
const TUNING = "PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 4000;";

/**
 * Opens the threads' own file, making or migrating it first.
 *
 * @throws {HandlerError} `conflict` for a file of a newer Handler, `unavailable` for one that cannot be read or written
 */
export async function openThreadStore({ path, clock, log }: ThreadStoreOptions): Promise<ThreadStore> {
  if (path !== ":memory:") await ensureFolder(dirname(path));
  const db = storing(`opening ${path}`, () => openDatabase(path));
  try {
    await migrate(db, path, THREAD_MIGRATIONS);
    db.exec(TUNING);
  } catch (error) {
    db.close();
    throw storeError(`opening ${path}`, error);
  }
  return assemble(db, path, clock, log);
}

function assemble(db: Database, path: string, clock: Clock, log: Logger): ThreadStore {
  const writing = statements(db, "storing threads");
  const threads = new ThreadCache(writing);
  const reads = readsOf(statements(db, "reading threads"), threads);
  const tx = writesOf(writing, threads, clock);
  const commits = new GroupCommit({ db, clock, log, takenBack: () => threads.forget() });
  const run = <T>(work: (tx: ThreadWrites) => T) => {
    const result = work(tx);
    threads.flush();
    return result;
  };
  const close = () => {
    commits.close();
    db.close();
  };
  return {
    ...reads,
    write: (durability, work) => commits.add(durability, () => run(work)),
    snapshot: () => path === ":memory:" ? { ...reads, [Symbol.dispose]() {} } : snapshot(path),
    close,
    [Symbol.dispose]: close,
  };
}

/** A second connection whose transaction began now: it sees what is committed, and nothing later. */
function snapshot(path: string): StoreSnapshot {
  const db = storing("reading threads", () => openDatabase(path));
  try {
    db.exec("BEGIN; SELECT count(*) FROM sqlite_schema");
  } catch (error) {
    db.close();
    throw storeError("reading threads", error);
  }
  const reading = statements(db, "reading threads");
  return { ...readsOf(reading, new ThreadCache(reading)), [Symbol.dispose]: () => db.close() };
}

function readsOf(db: Statements, threads: ThreadCache): ThreadReads {
  return {
    ...threadReads(db, threads),
    ...messageReads(db, threads),
    ...turnReads(db, threads),
    ...logReads(db, threads),
    ...sessionReads(db, threads),
    ...valueReads(db, threads),
    ...envReads(db, threads),
    ...fileReads(db, threads),
    ...effectReads(db, threads),
    ...changeReads(db, threads),
  };
}

function writesOf(db: Statements, threads: ThreadCache, clock: Clock): ThreadWrites {
  return {
    ...readsOf(db, threads),
    ...threadWrites(db, threads, clock),
    ...messageWrites(db, threads),
    ...turnWrites(db, threads),
    ...logWrites(db, threads),
    ...sessionWrites(db, threads),
    ...valueWrites(db, threads),
    ...envWrites(db, threads),
    ...fileWrites(db, threads),
    ...effectWrites(db, threads),
  };
}
