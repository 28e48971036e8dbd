import { type Call, Refusal } from "./vendor/handler_app.js";

/** A note as the page gets it. */
export interface Note {
  readonly id: number;
  readonly text: string;
  readonly pinned: boolean;
  /** ISO 8601, in UTC. */
  readonly changedAt: string;
}

interface NoteRow {
  readonly id: number;
  readonly text: string;
  readonly pinned: number;
  readonly changedAt: string;
}

const COLUMNS = "id, text, pinned, changed_at AS changedAt";
const LONGEST = 10_000;

/** The person's notes, pinned ones first, then the newest. */
export function list({ db, person }: Call): readonly Note[] {
  const sql = `SELECT ${COLUMNS} FROM notes WHERE person = ? ORDER BY pinned DESC, changed_at DESC, id DESC`;
  return db.all<NoteRow>(sql, person).map(noteOf);
}

/** Adds a note. The same call sent twice, as a queued one may be, adds one. */
export async function add(call: Call): Promise<Note> {
  const { db, person, idempotencyKey = null } = call;
  const text = textIn(await call.json());
  const inserted = db.get<NoteRow>(
    `INSERT INTO notes (person, text, changed_at, sent_as) VALUES (?, ?, ?, ?)
     ON CONFLICT (person, sent_as) DO UPDATE SET sent_as = sent_as RETURNING ${COLUMNS}`,
    person,
    text,
    new Date().toISOString(),
    idempotencyKey,
  );
  return noteOf(inserted!);
}

/** Changes what the body names of a note: its text, or whether it is pinned. */
export async function change(call: Call): Promise<Note> {
  const { db, person, params } = call;
  const body = recordIn(await call.json());
  const text = body.text === undefined ? null : textIn(body);
  const pinned = body.pinned === undefined ? null : Number(flagIn(body.pinned));
  const changed = db.get<NoteRow>(
    `UPDATE notes SET pinned = coalesce(?2, pinned),
       changed_at = iif(?1 IS NULL, changed_at, ?3), text = coalesce(?1, text)
     WHERE id = ?4 AND person = ?5 RETURNING ${COLUMNS}`,
    text,
    pinned,
    new Date().toISOString(),
    idIn(params.id),
    person,
  );
  if (!changed) throw noSuchNote();
  return noteOf(changed);
}

/** Removes a note. */
export function remove({ db, person, params }: Call): void {
  const { changes } = db.run("DELETE FROM notes WHERE id = ? AND person = ?", idIn(params.id), person);
  if (changes === 0) throw noSuchNote();
}

function noteOf({ pinned, ...rest }: NoteRow): Note {
  return { ...rest, pinned: pinned === 1 };
}

function recordIn(body: unknown): { readonly [key: string]: unknown } {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return { ...body };
  throw new Refusal(400, "the body must be an object");
}

function textIn(body: unknown): string {
  const { text } = recordIn(body);
  const trimmed = typeof text === "string" ? text.trim() : "";
  if (trimmed === "") throw new Refusal(400, "a note has some text");
  if (trimmed.length > LONGEST) throw new Refusal(400, `a note has at most ${LONGEST} characters`);
  return trimmed;
}

function flagIn(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw new Refusal(400, "pinned is true or false");
}

function idIn(text: string | undefined): number {
  const id = Number(text);
  if (Number.isSafeInteger(id)) return id;
  throw noSuchNote();
}

function noSuchNote(): Refusal {
  return new Refusal(404, "there is no such note; it may have been removed elsewhere");
}
