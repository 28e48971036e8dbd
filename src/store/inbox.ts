import type { Database, Row } from "../platform/mod.ts";
import { storing } from "./failure.ts";
import { number, text, textOrNull } from "./rows.ts";

/** Something that a person was told (contract I.9). */
export interface InboxMessage {
  readonly id: string;
  readonly person: string;
  /** `app:notes` */
  readonly source: string;
  readonly title: string;
  readonly text: string;
  /** A path of the source's own page. */
  readonly link: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly read: boolean;
}

/** One list of messages per person. */
export interface InboxRepository {
  /**
   * Adds a message, then lets the oldest of the same source and person go where there are more than `keep`, those that
   * were read first: a source that tells much pushes out nothing but its own.
   */
  add(message: InboxMessage, keep: number): void;
  /** A person's messages, the newest first. */
  list(person: string, unreadOnly: boolean): readonly InboxMessage[];
  unread(person: string): number;
  /** Marks messages of a person as read, or as unread. Returns how many were there and are other than they were. */
  mark(person: string, ids: readonly string[], read: boolean): number;
  /** Which of the ids a person has no message of. */
  unknown(person: string, ids: readonly string[]): readonly string[];
  /** Removes a person's whole list. */
  forget(person: string): void;
}

const INSERT =
  "INSERT INTO inbox (id, person, source, title, text, link, at, read) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
const SURPLUS = `DELETE FROM inbox WHERE person = ?1 AND source = ?2 AND seq NOT IN
  (SELECT seq FROM inbox WHERE person = ?1 AND source = ?2 ORDER BY read, seq DESC LIMIT ?3)`;

/** The repository over an open database. What is added is on disk when `add` returns. */
export function inboxRepository(db: Database): InboxRepository {
  return {
    add: (message, keep) => storing("storing a message", () => add(db, message, keep)),
    list: (person, unreadOnly) =>
      storing("reading the inbox", () =>
        db.all(
          "SELECT * FROM inbox WHERE person = ? AND read <= ? ORDER BY seq DESC",
          person,
          unreadOnly ? 0 : 1,
        ).map(toMessage)),
    unread: (person) =>
      storing("reading the inbox", () => {
        const row = db.get("SELECT count(*) AS n FROM inbox WHERE person = ? AND read = 0", person);
        return row ? number(row, "n") : 0;
      }),
    mark: (person, ids, read) =>
      storing("marking messages", () =>
        db.transaction(() => {
          const sql = "UPDATE inbox SET read = ?1 WHERE person = ?2 AND id = ?3 AND read <> ?1";
          return ids.reduce((sum, id) => sum + db.run(sql, read ? 1 : 0, person, id).changes, 0);
        })),
    unknown: (person, ids) =>
      storing("reading the inbox", () => {
        const sql = "SELECT 1 FROM inbox WHERE person = ? AND id = ?";
        return ids.filter((id) => !db.get(sql, person, id));
      }),
    forget: (person) =>
      storing("removing an inbox", () => void db.run("DELETE FROM inbox WHERE person = ?", person)),
  };
}

function add(db: Database, message: InboxMessage, keep: number): void {
  const { id, person, source, title, text, link, at, read } = message;
  db.transaction(() => {
    db.run(INSERT, id, person, source, title, text, link, Math.round(at), read ? 1 : 0);
    db.run(SURPLUS, person, source, keep);
  });
}

function toMessage(row: Row): InboxMessage {
  return {
    id: text(row, "id"),
    person: text(row, "person"),
    source: text(row, "source"),
    title: text(row, "title"),
    text: text(row, "text"),
    link: textOrNull(row, "link"),
    at: number(row, "at"),
    read: number(row, "read") === 1,
  };
}
