import { HandlerError } from "../../base/mod.ts";
import type { Row } from "../../platform/mod.ts";
import { number, numberOrNull, text, textOrNull } from "../rows.ts";
import { bit, truth } from "./columns.ts";
import type { ChildLink, ParentCommunication, Side, ThreadRow, ThreadStatus } from "./records.ts";
import type { Statements } from "./statements.ts";

/** What the store itself notes of a thread, beside its row. */
export interface Notes {
  /** The places of the last top-level messages of these roles; 0 for none. */
  lastUser: number;
  lastAssistant: number;
  /** Top-level messages, heard and silent. */
  shown: number;
  hidden: number;
}

/** A thread that is kept at hand. */
export interface KnownThread {
  /** The number that stands for it in other tables. */
  readonly t: number;
  row: ThreadRow;
  readonly notes: Notes;
}

/** Reads whole threads. */
export const SELECT_THREADS = "SELECT * FROM threads JOIN states USING (t)";

const SAVE_STATE =
  `UPDATE states SET seq = ?2, seen_a = ?3, seen_b = ?4, turn = ?5, status = ?6, session = ?7,
  session_open = ?8, turns_a = ?9, turns_b = ?10, hops = ?11, terminated_at = ?12,
  last_user = ?13, last_assistant = ?14, shown = ?15, hidden = ?16 WHERE t = ?1`;

const SAVE_REST =
  "UPDATE threads SET stopped = ?2, status_text = ?3, agent = ?4, title = ?5, description = ?6 WHERE t = ?1";

const NOTE = "UPDATE states SET last_user = ?2, last_assistant = ?3, shown = ?4, hidden = ?5 WHERE t = ?1";

/** So many threads are kept at hand; then all are let go. */
const LIMIT = 2048;

/**
 * The threads that were read last, as the transaction under way has them: a turn reads and writes its thread again and
 * again. Whoever takes a transaction back has to {@linkcode ThreadCache.forget} them.
 */
export class ThreadCache {
  readonly #db: Statements;
  readonly #known = new Map<string, KnownThread>();
  readonly #noted = new Set<KnownThread>();

  constructor(db: Statements) {
    this.#db = db;
  }

  /** A thread; undefined where it is not there. */
  get(id: string): KnownThread | undefined {
    const known = this.#known.get(id);
    if (known) return known;
    const row = this.#db.get(`${SELECT_THREADS} WHERE id = ?`, id);
    if (!row) return undefined;
    if (this.#known.size >= LIMIT) {
      this.flush();
      this.#known.clear();
    }
    const read = { t: number(row, "t"), row: toThread(row), notes: toNotes(row) };
    this.#known.set(id, read);
    return read;
  }

  /** A thread's own number; undefined where it is not there. */
  key(id: string): number | undefined {
    return this.get(id)?.t;
  }

  /** A thread's own number. @throws {HandlerError} `not_found` */
  mustHave(id: string): number {
    return this.must(id).t;
  }

  /** @throws {HandlerError} `not_found` */
  must(id: string): KnownThread {
    const known = this.get(id);
    if (!known) throw new HandlerError("not_found", `there is no thread ${id}`);
    return known;
  }

  /** Changes what is noted of a thread; it is written with its row, else by {@linkcode ThreadCache.flush}. */
  note(known: KnownThread, change: (notes: Notes) => void): void {
    change(known.notes);
    this.#noted.add(known);
  }

  /** Writes a thread's row. */
  save(row: ThreadRow): void {
    const known = this.must(row.id);
    const { t, notes } = known;
    // deno-fmt-ignore
    this.#db.run(SAVE_STATE, t, row.seq, row.seenA, row.seenB, row.turn, row.status, row.session, bit(row.sessionOpen),
      row.turnsA, row.turnsB, row.hops, row.terminatedAt, notes.lastUser, notes.lastAssistant, notes.shown,
      notes.hidden);
    if (differsInRest(row, known.row)) {
      this.#db.run(SAVE_REST, t, bit(row.stopped), row.statusText, row.agent, row.title, row.description);
    }
    known.row = { ...row };
    this.#noted.delete(known);
  }

  /** Writes what is noted of threads whose rows were not saved since. */
  flush(): void {
    for (const { t, notes } of this.#noted) {
      this.#db.run(NOTE, t, notes.lastUser, notes.lastAssistant, notes.shown, notes.hidden);
    }
    this.#noted.clear();
  }

  /** Lets go of one thread, or of all: the file has it otherwise. */
  forget(id?: string): void {
    const one = id === undefined ? undefined : this.#known.get(id);
    if (id === undefined) {
      this.#known.clear();
      this.#noted.clear();
    } else if (one) {
      this.#known.delete(id);
      this.#noted.delete(one);
    }
  }
}

/** What changes seldom. */
function differsInRest(a: ThreadRow, b: ThreadRow): boolean {
  return a.stopped !== b.stopped || a.statusText !== b.statusText || a.agent !== b.agent ||
    a.title !== b.title ||
    a.description !== b.description;
}

function toNotes(row: Row): Notes {
  return {
    lastUser: number(row, "last_user"),
    lastAssistant: number(row, "last_assistant"),
    shown: number(row, "shown"),
    hidden: number(row, "hidden"),
  };
}

/** A thread from its row. */
export function toThread(row: Row): ThreadRow {
  return {
    id: text(row, "id"),
    project: text(row, "project"),
    agent: text(row, "agent"),
    person: textOrNull(row, "person"),
    title: textOrNull(row, "title"),
    description: textOrNull(row, "description"),
    createdAt: number(row, "created_at"),
    link: toLink(row),
    arguments: text(row, "arguments"),
    terminatedAt: numberOrNull(row, "terminated_at"),
    stopped: truth(row, "stopped"),
    status: text(row, "status") as ThreadStatus,
    statusText: textOrNull(row, "status_text"),
    seq: number(row, "seq"),
    seenA: number(row, "seen_a"),
    seenB: number(row, "seen_b"),
    turn: textOrNull(row, "turn"),
    session: number(row, "session"),
    sessionOpen: truth(row, "session_open"),
    turnsA: number(row, "turns_a"),
    turnsB: number(row, "turns_b"),
    hops: number(row, "hops"),
  };
}

function toLink(row: Row): ChildLink | null {
  const parent = textOrNull(row, "parent");
  if (parent === null) return null;
  return {
    parent,
    relationship: text(row, "relationship"),
    owner: text(row, "owner") as Side,
    communication: text(row, "communication") as ParentCommunication,
    blocking: truth(row, "blocking"),
    spawnGroup: textOrNull(row, "spawn_group"),
  };
}
