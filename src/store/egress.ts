import type { Database, Row } from "../platform/mod.ts";
import { storing } from "./failure.ts";
import { number, text, textOrNull } from "./rows.ts";
import type { WriteQueue } from "./write_queue.ts";

/** A connection that a sandbox made or was refused, as the sandbox's driver reports it (contract A.3). */
export interface EgressEntry {
  readonly sandbox: string;
  readonly host: string;
  readonly port: number;
  /** The address that was dialled; absent where the connection was refused. */
  readonly address?: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly error?: string;
}

/** Which connections to show. */
export interface EgressFilter {
  readonly sandbox?: string;
  readonly host?: string;
  /** Milliseconds since 1970. */
  readonly since?: number;
  /** 100 where it is left out. */
  readonly limit?: number;
}

/** What one sandbox sent to one host in a time, and got from it. */
export interface HostTally {
  readonly sandbox: string;
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** Connections of sandboxes to the outside. */
export interface EgressRepository {
  /** Takes a record; it is written with others within moments and never throws. */
  insert(entry: EgressEntry): void;
  /** The newest first. */
  query(filter: EgressFilter): readonly EgressEntry[];
  /** Connections that were made (not those that were refused) from `from` on and before `to`, by sandbox and host. */
  tally(from: number, to: number): readonly HostTally[];
}

const INSERT =
  `INSERT INTO egress (sandbox, host, port, address, started_at, duration_ms, sent_bytes, received_bytes,
  error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const QUERY = `SELECT * FROM egress WHERE (?1 IS NULL OR sandbox = ?1) AND (?2 IS NULL OR host = ?2)
  AND (?3 IS NULL OR started_at >= ?3) ORDER BY seq DESC LIMIT ?4`;
const TALLY = `SELECT sandbox, host, port, count(*) AS connections, sum(sent_bytes) AS sent,
  sum(received_bytes) AS received FROM egress WHERE started_at >= ? AND started_at < ? AND address IS NOT NULL
  GROUP BY sandbox, host, port ORDER BY sandbox, host, port`;

/** The repository over an open database. */
export function egressRepository(db: Database, queue: WriteQueue): EgressRepository {
  return {
    insert: (entry) => queue.add(() => insert(db, entry)),
    query(filter) {
      queue.flush();
      const { sandbox = null, host = null, since = null, limit = 100 } = filter;
      return storing(
        "reading the connections",
        () => db.all(QUERY, sandbox, host, since, limit).map(toEntry),
      );
    },
    tally(from, to) {
      queue.flush();
      return storing("adding up connections", () => db.all(TALLY, from, to).map(toTally));
    },
  };
}

function insert(db: Database, entry: EgressEntry): void {
  // deno-fmt-ignore
  db.run(INSERT, entry.sandbox, entry.host, entry.port, entry.address ?? null, Math.round(entry.startedAt),
    entry.durationMs, entry.sentBytes, entry.receivedBytes, entry.error ?? null);
}

function toEntry(row: Row): EgressEntry {
  const address = textOrNull(row, "address");
  const error = textOrNull(row, "error");
  return {
    sandbox: text(row, "sandbox"),
    host: text(row, "host"),
    port: number(row, "port"),
    ...(address === null ? {} : { address }),
    startedAt: number(row, "started_at"),
    durationMs: number(row, "duration_ms"),
    sentBytes: number(row, "sent_bytes"),
    receivedBytes: number(row, "received_bytes"),
    ...(error === null ? {} : { error }),
  };
}

function toTally(row: Row): HostTally {
  return {
    sandbox: text(row, "sandbox"),
    host: text(row, "host"),
    port: number(row, "port"),
    connections: number(row, "connections"),
    sentBytes: number(row, "sent"),
    receivedBytes: number(row, "received"),
  };
}
