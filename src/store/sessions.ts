import type { Json } from "../base/mod.ts";
import type { Database, Row } from "../platform/mod.ts";
import { storing } from "./failure.ts";
import { number, numberOrNull, parsed, text, textOrNull } from "./rows.ts";
import type { WriteQueue } from "./write_queue.ts";

/**
 * Where a session stands. `exited`: its program ended by itself, the exit code says how. `failed`: it could not start,
 * or a limit ended it. `stopped`: a person ended it. `lost`: it ended while no daemon watched.
 */
export type SessionState = "starting" | "running" | "exited" | "failed" | "stopped" | "lost";

/** One run of an agent (contract B.2). */
export interface SessionRecord {
  readonly id: string;
  readonly agent: string;
  readonly project: string;
  readonly state: SessionState;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly exitCode: number | null;
  /** Why it is in this state, where the state does not say all. */
  readonly reason: string | null;
  /** The sandbox's driver, name and handle; null where the session has no process. */
  readonly driver: string | null;
  readonly sandbox: string | null;
  readonly handle: string | null;
  readonly logPath: string | null;
  /** How many calls of services it has made. */
  readonly calls: number;
  /** What a later daemon needs to take it over; written and read by the agents alone. */
  readonly context: Json;
}

/** The part of a session that changes. */
export type SessionChange = Partial<
  Pick<
    SessionRecord,
    "state" | "endedAt" | "exitCode" | "reason" | "driver" | "sandbox" | "handle" | "context"
  >
>;

/** Runs of agents. */
export interface SessionRepository {
  insert(record: SessionRecord): void;
  update(id: string, change: SessionChange): void;
  get(id: string): SessionRecord | undefined;
  /** The newest first; `states` limits to these. */
  list(
    options: { readonly states?: readonly SessionState[]; readonly limit?: number },
  ): readonly SessionRecord[];
  /** Forgets a session that has ended. */
  remove(id: string): void;
}

const COLUMNS: Readonly<Record<keyof SessionChange, string>> = {
  state: "state",
  endedAt: "ended_at",
  exitCode: "exit_code",
  reason: "reason",
  driver: "driver",
  sandbox: "sandbox",
  handle: "handle",
  context: "context",
};

const INSERT =
  `INSERT INTO sessions (id, agent, project, state, started_at, ended_at, exit_code, reason, driver,
  sandbox, handle, log_path, calls, context) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** The repository over an open database. */
export function sessionRepository(db: Database, queue: WriteQueue): SessionRepository {
  return {
    insert: (record) => storing("storing the session", () => insert(db, record)),
    update: (id, change) => storing("storing the session", () => update(db, id, change)),
    get: (id) => reading(queue, () => first(db.all("SELECT * FROM sessions WHERE id = ?", id))),
    list: ({ states, limit }) => reading(queue, () => list(db, states ?? [], limit ?? 1000)),
    remove: (id) =>
      storing("removing the session", () => void db.run("DELETE FROM sessions WHERE id = ?", id)),
  };
}

function reading<T>(queue: WriteQueue, read: () => T): T {
  queue.flush(); // the number of calls is brought up with the calls
  return storing("reading the sessions", read);
}

function insert(db: Database, session: SessionRecord): void {
  // deno-fmt-ignore
  db.run(INSERT, session.id, session.agent, session.project, session.state, Math.round(session.startedAt),
    session.endedAt, session.exitCode, session.reason, session.driver, session.sandbox, session.handle,
    session.logPath, session.calls, JSON.stringify(session.context));
}

function update(db: Database, id: string, change: SessionChange): void {
  const keys = (Object.keys(COLUMNS) as (keyof SessionChange)[]).filter((key) => change[key] !== undefined);
  if (keys.length === 0) return;
  const values = keys.map((key) =>
    key === "context" ? JSON.stringify(change.context) : change[key] as string | number | null
  );
  db.run(
    `UPDATE sessions SET ${keys.map((key) => `${COLUMNS[key]} = ?`).join(", ")} WHERE id = ?`,
    ...values,
    id,
  );
}

function list(db: Database, states: readonly SessionState[], limit: number): readonly SessionRecord[] {
  const where = states.length ? `WHERE state IN (${states.map(() => "?").join(", ")})` : "";
  return db.all(`SELECT * FROM sessions ${where} ORDER BY seq DESC LIMIT ?`, ...states, limit).map(toRecord);
}

function first(rows: readonly Row[]): SessionRecord | undefined {
  return rows[0] && toRecord(rows[0]);
}

function toRecord(row: Row): SessionRecord {
  return {
    id: text(row, "id"),
    agent: text(row, "agent"),
    project: text(row, "project"),
    state: text(row, "state") as SessionState,
    startedAt: number(row, "started_at"),
    endedAt: numberOrNull(row, "ended_at"),
    exitCode: numberOrNull(row, "exit_code"),
    reason: textOrNull(row, "reason"),
    driver: textOrNull(row, "driver"),
    sandbox: textOrNull(row, "sandbox"),
    handle: textOrNull(row, "handle"),
    logPath: textOrNull(row, "log_path"),
    calls: number(row, "calls"),
    context: parsed<Json>(row, "context"),
  };
}
