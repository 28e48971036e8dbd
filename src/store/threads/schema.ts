import type { Migration } from "../migrations.ts";

/**
 * Messages, turns and log rows of all threads stand in their tables in the order of writing, so that what many threads
 * write at once fills few pages; a thread's own rows are found by index. `t` is the thread's own number, `changed` a row's
 * last revision once it differs from its place `seq`: only rows that were changed are indexed by it.
 */
const first = `
CREATE TABLE threads (
  t INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  project TEXT NOT NULL,
  agent TEXT NOT NULL,
  person TEXT,
  created_at INTEGER NOT NULL,
  stopped INTEGER NOT NULL,
  status_text TEXT,
  parent TEXT,
  relationship TEXT,
  owner TEXT,
  communication TEXT,
  blocking INTEGER,
  spawn_group TEXT,
  title TEXT,
  description TEXT,
  arguments TEXT NOT NULL
) STRICT;
CREATE INDEX threads_by_project ON threads (project);
CREATE INDEX threads_by_person ON threads (person) WHERE person IS NOT NULL;
CREATE INDEX threads_by_parent ON threads (parent) WHERE parent IS NOT NULL;

-- What changes several times a turn stands apart from the rest of a thread, so that many rows share a page.
CREATE TABLE states (
  t INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  seen_a INTEGER NOT NULL,
  seen_b INTEGER NOT NULL,
  last_user INTEGER NOT NULL,
  last_assistant INTEGER NOT NULL,
  shown INTEGER NOT NULL,
  hidden INTEGER NOT NULL,
  session INTEGER NOT NULL,
  session_open INTEGER NOT NULL,
  turns_a INTEGER NOT NULL,
  turns_b INTEGER NOT NULL,
  hops INTEGER NOT NULL,
  terminated_at INTEGER,
  status TEXT NOT NULL,
  turn TEXT
) STRICT;
CREATE INDEX states_unfinished ON states (t)
  WHERE turn IS NOT NULL OR (terminated_at IS NULL AND
  (status = 'running' OR last_user > seen_a OR last_assistant > seen_b));

CREATE TABLE messages (
  n INTEGER PRIMARY KEY,
  t INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  role INTEGER NOT NULL,
  depth INTEGER NOT NULL,
  silent INTEGER NOT NULL,
  deleted INTEGER NOT NULL,
  changed INTEGER,
  created_at INTEGER NOT NULL,
  turn TEXT,
  hops INTEGER NOT NULL,
  parent_id TEXT,
  name TEXT,
  tool_call_id TEXT,
  tool_status TEXT,
  tool_calls TEXT,
  metadata TEXT,
  attachments TEXT,
  content TEXT
) STRICT;
CREATE UNIQUE INDEX messages_by_id ON messages (id, t);
CREATE INDEX messages_by_place ON messages (t, seq, role, depth, deleted);
CREATE INDEX messages_changed ON messages (t, changed) WHERE changed IS NOT NULL;

CREATE TABLE turns (
  n INTEGER PRIMARY KEY,
  t INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  session INTEGER NOT NULL,
  side TEXT NOT NULL,
  backing TEXT NOT NULL,
  name TEXT NOT NULL,
  message_id TEXT NOT NULL,
  state TEXT NOT NULL,
  changed INTEGER,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  stop_code TEXT,
  error TEXT
) STRICT;
CREATE INDEX turns_by_place ON turns (t, seq);
CREATE INDEX turns_changed ON turns (t, changed) WHERE changed IS NOT NULL;

CREATE TABLE logs (
  n INTEGER PRIMARY KEY,
  t INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  turn TEXT,
  kind TEXT NOT NULL,
  name TEXT,
  message_id TEXT,
  created_at INTEGER NOT NULL,
  complete INTEGER NOT NULL,
  changed INTEGER,
  latency_ms REAL,
  error TEXT,
  data TEXT NOT NULL
) STRICT;
CREATE INDEX logs_by_place ON logs (t, seq);
CREATE INDEX logs_changed ON logs (t, changed) WHERE changed IS NOT NULL;

CREATE TABLE sessions (
  t INTEGER NOT NULL,
  number INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,
  closed_at INTEGER,
  reason TEXT,
  success INTEGER,
  result TEXT,
  PRIMARY KEY (t, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE thread_values (
  t INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (t, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE person_values (
  person TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (person, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE env (
  t INTEGER NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (t, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE files (
  t INTEGER NOT NULL,
  path TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  is_directory INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  metadata TEXT,
  PRIMARY KEY (t, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE effects (
  n INTEGER PRIMARY KEY,
  t INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  state TEXT NOT NULL,
  scheduled_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  error TEXT,
  args TEXT NOT NULL
) STRICT;
CREATE INDEX effects_by_thread ON effects (t);
CREATE INDEX effects_pending ON effects (scheduled_at) WHERE state = 'pending';
CREATE INDEX effects_pending_by_thread ON effects (t, scheduled_at) WHERE state = 'pending';
CREATE INDEX effects_processing ON effects (n) WHERE state = 'processing';
`;

/** Every step of the threads' own file, in order. */
export const THREAD_MIGRATIONS: readonly Migration[] = [{ version: 1, sql: first }];
