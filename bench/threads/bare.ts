import { DatabaseSync } from "node:sqlite";
import { newId } from "../../src/base/mod.ts";

/** Turns of many writers, in transactions that they share. */
export interface Bare extends Disposable {
  turns(writers: readonly number[]): void;
}

function open(path: string, schema: string): DatabaseSync {
  const db = new DatabaseSync(path);
  db.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000; ${schema}`,
  );
  return db;
}

function transaction(db: DatabaseSync, work: () => void): void {
  db.exec("BEGIN IMMEDIATE");
  work();
  db.exec("COMMIT");
}

/** The least that a durable turn can be: a row in; then claimed, marked as done and answered. Two transactions. */
export function bareFloor(path: string, body: string): Bare {
  const db = open(
    path,
    `CREATE TABLE inbox (id INTEGER PRIMARY KEY, key TEXT UNIQUE, thread INTEGER, body TEXT, state INTEGER DEFAULT 0) STRICT;
     CREATE TABLE outbox (id INTEGER PRIMARY KEY, inbox INTEGER UNIQUE, body TEXT) STRICT;
     CREATE INDEX pending ON inbox (thread, id) WHERE state = 0;`,
  );
  const accept = db.prepare("INSERT INTO inbox (key, thread, body) VALUES (?, ?, ?)");
  const take = db.prepare("SELECT id, body FROM inbox WHERE thread = ? AND state = 0 ORDER BY id LIMIT 1");
  const done = db.prepare("UPDATE inbox SET state = 1 WHERE id = ? AND state = 0");
  const answer = db.prepare("INSERT INTO outbox (inbox, body) VALUES (?, ?)");
  let key = 0;
  return {
    turns(writers) {
      transaction(db, () => writers.forEach((writer) => accept.run(`k${key++}`, writer, body)));
      transaction(db, () =>
        writers.forEach((writer) => {
          const { id, body } = take.get(writer) as { id: number; body: string };
          done.run(id);
          answer.run(id, body.toUpperCase());
        }));
    },
    [Symbol.dispose]: () => db.close(),
  };
}

/** The writes of the store's turn as plain statements: a message with its delivery, the answer, the outcome. */
export function bareSame(path: string, body: string): Bare {
  const db = open(
    path,
    `CREATE TABLE threads (id INTEGER PRIMARY KEY, seq INTEGER, seen INTEGER, turn TEXT) STRICT;
     CREATE TABLE messages (k INTEGER PRIMARY KEY, id TEXT UNIQUE, thread INTEGER, role INTEGER, body TEXT) STRICT;
     CREATE INDEX inbound ON messages (thread, role);
     CREATE TABLE turns (k INTEGER PRIMARY KEY, id TEXT UNIQUE, message TEXT, state TEXT) STRICT;`,
  );
  const thread = db.prepare("INSERT INTO threads VALUES (?, 0, 0, NULL) ON CONFLICT DO NOTHING");
  const save = db.prepare("UPDATE threads SET seq = ?2, seen = ?3, turn = ?4 WHERE id = ?1");
  const message = db.prepare("INSERT INTO messages VALUES ((?1 << 32) | ?2, ?3, ?1, ?4, ?5)");
  const next = db.prepare(
    "SELECT id, body FROM messages WHERE thread = ?1 AND role = 0 AND k > ((?1 << 32) | ?2) ORDER BY k LIMIT 1",
  );
  const turn = db.prepare("INSERT INTO turns VALUES ((?1 << 32) | ?2, ?3, ?4, 'running')");
  const close = db.prepare("UPDATE turns SET state = 'done' WHERE k = (?1 << 32) | ?2");
  let seq = 0;
  const step = (writers: readonly number[], work: (writer: number) => void) =>
    transaction(db, () =>
      writers.forEach((writer) => {
        work(writer);
        save.run(writer, seq, seq, "turn");
      }));
  return {
    turns(writers) {
      if (seq === 0) transaction(db, () => writers.forEach((writer) => thread.run(writer)));
      step(writers, (writer) => {
        message.run(writer, seq + 1, newId(), 0, body);
        const { id } = next.get(writer, seq) as { id: string };
        turn.run(writer, seq + 2, newId(), id);
      });
      db.exec("PRAGMA synchronous = NORMAL");
      step(writers, (writer) => message.run(writer, seq + 3, newId(), 1, body));
      db.exec("PRAGMA synchronous = FULL");
      step(writers, (writer) => close.run(writer, seq + 2));
      seq += 3;
    },
    [Symbol.dispose]: () => db.close(),
  };
}
