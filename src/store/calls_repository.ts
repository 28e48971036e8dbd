import type { Database, Row } from "../platform/mod.ts";
import { type CallSpan, type CallTally, tallyCalls } from "./call_stats.ts";
import type { CallRecord } from "./calls.ts";
import { storing } from "./failure.ts";
import { number, parsed, text, textOrNull } from "./rows.ts";
import type { WriteQueue } from "./write_queue.ts";

/** Which calls to show; a field that is left out does not limit. */
export interface CallFilter {
  readonly caller?: string;
  readonly session?: string;
  /** `ocr/v1`, or `ocr` for every version. */
  readonly interfaceId?: string;
  readonly tool?: string;
  readonly binding?: string;
  /** An error code; true for every call that failed, false for every one that did not. */
  readonly error?: string | boolean;
  /** When they began, in milliseconds since 1970: not before `since`, and before `until`. */
  readonly since?: number;
  readonly until?: number;
  /** The id of a call: those that ended before it. None where there is no such call. */
  readonly before?: string;
  /** How many at most; 100 where it is left out, never more than 10,000. */
  readonly limit?: number;
}

/** The calls of services. */
export interface CallRepository {
  /** Takes a record; it is written with others within moments. It never throws, whatever the disk does. */
  insert(record: CallRecord): void;
  /** Calls by the order in which they ended, the newest first. */
  query(filter: CallFilter): readonly CallRecord[];
  /** One call by its id. */
  get(id: string): CallRecord | undefined;
  /** What each binding did in a time, by bindings' names; other work gets room between its points. */
  tally(span: CallSpan): Promise<readonly CallTally[]>;
  /** How many calls of one interface (or of all) of a session came to a binding; one refused before does not count. */
  count(session: string, interfaceId?: string): number;
}

const COLUMNS = "id, started_at, caller, session, interface_id, interface_hash, tool, binding, connector, " +
  "connector_hash, queue_ms, start_ms, upstream_ms, validate_ms, total_ms, bytes_in, bytes_out, units, hosts, " +
  "error, detail, trace_id";
const INSERT = `INSERT INTO calls (${COLUMNS}) VALUES (${COLUMNS.split(",").map(() => "?").join(", ")})`;

/** The repository over an open database. */
export function callRepository(db: Database, queue: WriteQueue): CallRepository {
  const counts = new SessionCounts(db, queue);
  return {
    insert(record) {
      queue.add(() => insert(db, record));
      if (record.session !== null) counts.add(record.session);
    },
    query(filter) {
      queue.flush();
      const { where, values } = conditions(filter);
      const limit = Math.min(Math.max(1, Math.floor(filter.limit ?? 100)), 10_000);
      const sql = `SELECT ${COLUMNS} FROM calls${where} ORDER BY seq DESC LIMIT ?`;
      return storing("reading the call records", () => db.all(sql, ...values, limit).map(toRecord));
    },
    get(id) {
      queue.flush();
      const row = storing(
        "reading the call records",
        () => db.get(`SELECT ${COLUMNS} FROM calls WHERE id = ?`, id),
      );
      return row && toRecord(row);
    },
    async tally(span) {
      queue.flush();
      return await tallyCalls(db, span);
    },
    count(session, interfaceId) {
      queue.flush();
      const { where, values } = conditions({ session, ...(interfaceId ? { interfaceId } : {}) });
      return storing(
        "counting calls",
        () => number(db.get(`SELECT count(*) AS n FROM calls${where} AND binding <> ''`, ...values)!, "n"),
      );
    },
  };
}

function insert(db: Database, call: CallRecord): void {
  // deno-fmt-ignore
  db.run(INSERT, call.id, Math.round(call.startedAt), call.caller, call.session, call.interfaceId, call.interfaceHash,
    call.tool, call.binding, call.connector, call.connectorHash, call.queueMs, call.startMs, call.upstreamMs,
    call.validateMs, call.totalMs, call.bytesIn, call.bytesOut, JSON.stringify(call.units), JSON.stringify(call.hosts),
    call.error, call.detail, call.traceId);
}

/** Counts the calls of sessions in the sessions' rows: one write for the calls of one transaction. */
class SessionCounts {
  readonly #db: Database;
  readonly #queue: WriteQueue;
  /** Counts that are still to be written, by session. */
  readonly #open = new Map<string, { calls: number }>();

  constructor(db: Database, queue: WriteQueue) {
    this.#db = db;
    this.#queue = queue;
  }

  add(session: string): void {
    const open = this.#open.get(session);
    if (open) {
      open.calls++;
      return;
    }
    const count = { calls: 1 };
    this.#open.set(session, count);
    this.#queue.add(() => {
      // later calls get a count of their own: this one may be written again after a failure
      if (this.#open.get(session) === count) this.#open.delete(session);
      this.#db.run("UPDATE sessions SET calls = calls + ? WHERE id = ?", count.calls, session);
    });
  }
}

function conditions(filter: CallFilter): { where: string; values: (string | number)[] } {
  const parts: string[] = [];
  const values: (string | number)[] = [];
  const add = (sql: string, ...given: (string | number)[]) => {
    parts.push(sql);
    values.push(...given);
  };
  if (filter.caller !== undefined) add("caller = ?", filter.caller);
  if (filter.session !== undefined) add("session = ?", filter.session);
  if (filter.binding !== undefined) add("binding = ?", filter.binding);
  if (filter.tool !== undefined) add("tool = ?", filter.tool);
  if (filter.since !== undefined) add("started_at >= ?", Math.floor(filter.since));
  if (filter.until !== undefined) add("started_at < ?", Math.floor(filter.until));
  if (filter.before !== undefined) add("seq < (SELECT seq FROM calls WHERE id = ?)", filter.before);
  if (filter.interfaceId?.includes("/")) add("interface_id = ?", filter.interfaceId);
  else if (filter.interfaceId !== undefined) {
    add("substr(interface_id, 1, ?) = ?", filter.interfaceId.length + 1, filter.interfaceId + "/");
  }
  if (typeof filter.error === "string") add("error = ?", filter.error);
  else if (filter.error !== undefined) add(filter.error ? "error IS NOT NULL" : "error IS NULL");
  return { where: parts.length ? ` WHERE ${parts.join(" AND ")}` : "", values };
}

function toRecord(row: Row): CallRecord {
  return {
    id: text(row, "id"),
    startedAt: number(row, "started_at"),
    caller: text(row, "caller"),
    session: textOrNull(row, "session"),
    interfaceId: text(row, "interface_id"),
    interfaceHash: text(row, "interface_hash"),
    tool: text(row, "tool"),
    binding: text(row, "binding"),
    connector: text(row, "connector"),
    connectorHash: text(row, "connector_hash"),
    queueMs: number(row, "queue_ms"),
    startMs: number(row, "start_ms"),
    upstreamMs: number(row, "upstream_ms"),
    validateMs: number(row, "validate_ms"),
    totalMs: number(row, "total_ms"),
    bytesIn: number(row, "bytes_in"),
    bytesOut: number(row, "bytes_out"),
    units: parsed<Record<string, number>>(row, "units"),
    hosts: parsed<string[]>(row, "hosts"),
    error: textOrNull(row, "error"),
    detail: textOrNull(row, "detail"),
    traceId: textOrNull(row, "trace_id"),
  };
}
