/** One step of the database's shape. Published steps are never changed; a new one is added at the end. */
export interface Migration {
  /** Counts from 1 without gaps; SQLite's `user_version` after the step. */
  readonly version: number;
  readonly sql: string;
}

const first = `
CREATE TABLE calls (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  started_at INTEGER NOT NULL,
  caller TEXT NOT NULL,
  session TEXT,
  interface_id TEXT NOT NULL,
  interface_hash TEXT NOT NULL,
  tool TEXT NOT NULL,
  binding TEXT NOT NULL,
  connector TEXT NOT NULL,
  connector_hash TEXT NOT NULL,
  queue_ms REAL NOT NULL,
  start_ms REAL NOT NULL,
  upstream_ms REAL NOT NULL,
  validate_ms REAL NOT NULL,
  total_ms REAL NOT NULL,
  bytes_in INTEGER NOT NULL,
  bytes_out INTEGER NOT NULL,
  units TEXT NOT NULL,
  hosts TEXT NOT NULL,
  error TEXT,
  detail TEXT,
  trace_id TEXT
) STRICT;
CREATE INDEX calls_by_session ON calls (session) WHERE session IS NOT NULL;

CREATE TABLE conformance (
  seq INTEGER PRIMARY KEY,
  connector TEXT NOT NULL,
  connector_hash TEXT NOT NULL,
  binding TEXT NOT NULL,
  binding_hash TEXT NOT NULL,
  interface_id TEXT NOT NULL,
  interface_hash TEXT NOT NULL,
  ran_at INTEGER NOT NULL,
  passed INTEGER NOT NULL,
  cases TEXT NOT NULL,
  UNIQUE (connector, binding, interface_id)
) STRICT;

CREATE TABLE trust (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  pinned_at INTEGER NOT NULL,
  PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent TEXT NOT NULL,
  project TEXT NOT NULL,
  state TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  exit_code INTEGER,
  reason TEXT,
  driver TEXT,
  sandbox TEXT,
  handle TEXT,
  log_path TEXT,
  calls INTEGER NOT NULL,
  context TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_by_state ON sessions (state);

CREATE TABLE egress (
  seq INTEGER PRIMARY KEY,
  sandbox TEXT NOT NULL,
  host TEXT NOT NULL,
  port INTEGER NOT NULL,
  address TEXT,
  started_at INTEGER NOT NULL,
  duration_ms REAL NOT NULL,
  sent_bytes INTEGER NOT NULL,
  received_bytes INTEGER NOT NULL,
  error TEXT
) STRICT;
`;

const inbox = `
CREATE TABLE inbox (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  person TEXT NOT NULL,
  source TEXT NOT NULL,
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  link TEXT,
  at INTEGER NOT NULL,
  read INTEGER NOT NULL
) STRICT;
CREATE INDEX inbox_by_person ON inbox (person, source, seq);
`;

/** What is asked about a time must not read all the others. */
const times = `
CREATE INDEX calls_by_time ON calls (started_at);
CREATE INDEX egress_by_time ON egress (started_at);
`;

/** Every step, in order. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, sql: first },
  { version: 2, sql: inbox },
  { version: 3, sql: times },
];
