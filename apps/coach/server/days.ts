import { type Call, Refusal } from "./vendor/handler_app.js";

/** One day of a person, as the page gets it. */
export interface Day {
  /** `YYYY-MM-DD`, where the person is. */
  readonly day: string;
  /** From 1, bad, to 5, very good. */
  readonly mood: number;
  /** What the person wants to get done; may be empty. */
  readonly intention: string;
  readonly done: boolean | null;
}

interface DayRow {
  readonly day: string;
  readonly mood: number;
  readonly intention: string;
  readonly done: number | null;
}

const COLUMNS = "day, mood, intention, done";
const SHOWN = 60;
const DAY_MS = 86_400_000;
/** A queued check-in may arrive a week late, and the person may be a day ahead of this machine. */
const OLDEST_DAYS = 8;
const NEWEST_DAYS = 1;

/** The person's last days, newest first. */
export function list({ db, person }: Call): readonly Day[] {
  const sql = `SELECT ${COLUMNS} FROM days WHERE person = ? ORDER BY day DESC LIMIT ?`;
  return db.all<DayRow>(sql, person, SHOWN).map(dayOf);
}

/** Says how a day is. Said again it replaces what was said, so a call that arrives twice changes nothing. */
export async function checkIn(call: Call, now: Date): Promise<Day> {
  const { day, mood, intention } = await call.json() as Partial<Record<keyof Day, unknown>>;
  if (!isDay(day) || !isNear(day, now)) throw new Refusal(400, "The day is one of the last week.");
  if (![1, 2, 3, 4, 5].includes(mood as number)) throw new Refusal(400, "The mood goes from 1 to 5.");
  if (typeof intention !== "string" || intention.length > 500) {
    throw new Refusal(400, "What you want to get done has at most 500 characters.");
  }
  const row = call.db.get<DayRow>(
    `INSERT INTO days (person, day, mood, intention, checked_in_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (person, day) DO UPDATE SET mood = excluded.mood, intention = excluded.intention
     RETURNING ${COLUMNS}`,
    call.person,
    day,
    Number(mood),
    intention.trim(),
    now.toISOString(),
  );
  return dayOf(row!);
}

/** Says whether what a day was meant for got done. */
export async function settle(call: Call): Promise<Day> {
  const { done } = await call.json() as { readonly done?: unknown };
  if (typeof done !== "boolean") throw new Refusal(400, "done is true or false");
  const row = call.db.get<DayRow>(
    `UPDATE days SET done = ? WHERE person = ? AND day = ? RETURNING ${COLUMNS}`,
    Number(done),
    call.person,
    call.params.day ?? "",
  );
  if (!row) throw new Refusal(404, "There was no check-in on that day.");
  return dayOf(row);
}

function dayOf({ done, ...rest }: DayRow): Day {
  return { ...rest, done: done === null ? null : done === 1 };
}

function isDay(value: unknown): value is string {
  return typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
}

function isNear(day: string, now: Date): boolean {
  const age = (now.getTime() - Date.parse(day)) / DAY_MS;
  return age <= OLDEST_DAYS + 1 && age >= -NEWEST_DAYS;
}
