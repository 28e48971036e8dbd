import { dirname } from "node:path";
import type { Clock, Logger } from "../base/mod.ts";
import { type Database, ensureFolder, openDatabase } from "../platform/mod.ts";
import { type CallRepository, callRepository } from "./calls_repository.ts";
import { type ConformanceRepository, conformanceRepository } from "./conformance.ts";
import { type EgressRepository, egressRepository } from "./egress.ts";
import { storeError, storing } from "./failure.ts";
import { type InboxRepository, inboxRepository } from "./inbox.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import { prune } from "./retention.ts";
import { type SessionRepository, sessionRepository } from "./sessions.ts";
import { type TrustRepository, trustRepository } from "./trust.ts";
import { WriteQueue } from "./write_queue.ts";

/** The daemon's memory: one SQLite file, one repository for each kind of thing. */
export interface Store extends Disposable {
  readonly calls: CallRepository;
  readonly conformance: ConformanceRepository;
  readonly trust: TrustRepository;
  readonly sessions: SessionRepository;
  readonly egress: EgressRepository;
  readonly inbox: InboxRepository;
  /** Removes calls and connections older than so many days; returns how many rows went. */
  prune(keepDays: number): Promise<number>;
  /** Writes what waits, now; whether all of it is on disk. */
  flush(): boolean;
  /** Writes what waits and closes the file. */
  close(): void;
}

/** What {@linkcode openStore} needs. */
export interface StoreOptions {
  /** The file; `:memory:` for a store that ends with the process. */
  readonly path: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Opens the store, making or migrating the file first. A backup copy is left beside a file that is migrated.
 *
 * @throws {HandlerError} `conflict` for a file of a newer Handler, `unavailable` for one that cannot be read or written.
 */
export async function openStore({ path, clock, log }: StoreOptions): Promise<Store> {
  if (path !== ":memory:") await ensureFolder(dirname(path));
  const db = storing(`opening ${path}`, () => openDatabase(path));
  try {
    await migrate(db, path, MIGRATIONS);
  } catch (error) {
    db.close();
    throw storeError(`opening ${path}`, error);
  }
  return assemble(db, clock, log);
}

function assemble(db: Database, clock: Clock, log: Logger): Store {
  const queue = new WriteQueue({ db, clock, log, delayMs: 100, retryMs: 1000, limit: 5000 });
  const close = () => {
    queue.close();
    db.close();
  };
  return {
    calls: callRepository(db, queue),
    conformance: conformanceRepository(db),
    trust: trustRepository(db, clock),
    sessions: sessionRepository(db, queue),
    egress: egressRepository(db, queue),
    inbox: inboxRepository(db),
    async prune(keepDays) {
      queue.flush();
      return await prune(db, clock, "calls", keepDays) + await prune(db, clock, "egress", keepDays);
    },
    flush: () => queue.flush(),
    close,
    [Symbol.dispose]: close,
  };
}
