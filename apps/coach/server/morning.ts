import { type Database, HandlerRefused, type Notice } from "./vendor/handler_app.js";

/** What the morning needs of the world. */
export interface Morning {
  tell(notice: Notice): Promise<void>;
  now(): Date;
}

/** Who is asked: the owner, and whoever checked in within a month. */
const REGULAR_MS = 30 * 86_400_000;
/** Nobody is asked who was, or who checked in, within so long. No time zone is needed for that. */
const REST_MS = 10 * 3_600_000;

/** Asks everybody who has not checked in yet. Called twice in a morning it asks once. */
export async function morning(
  db: Database,
  { tell, now }: Morning,
): Promise<{ readonly asked: readonly string[] }> {
  const time = now().getTime();
  const asked: string[] = [];
  for (const person of peopleToAsk(db, time)) {
    try {
      await tell({ ...question(db, person), link: "/", person });
    } catch (error) {
      // the app is no longer shared with that person, or too much was said at once
      if (!(error instanceof HandlerRefused)) throw error;
      console.error(`${person} was not asked: ${error.message}`);
      continue;
    }
    db.run("INSERT OR REPLACE INTO asked (person, asked_at) VALUES (?, ?)", person, iso(time));
    asked.push(person);
  }
  return { asked };
}

function peopleToAsk(db: Database, time: number): readonly string[] {
  const sql = `
    SELECT 'owner' AS person UNION SELECT person FROM days WHERE checked_in_at > ?1
    EXCEPT SELECT person FROM days WHERE checked_in_at > ?2
    EXCEPT SELECT person FROM asked WHERE asked_at > ?2
    ORDER BY person`;
  return db.all<{ person: string }>(sql, iso(time - REGULAR_MS), iso(time - REST_MS)).map(({ person }) =>
    person
  );
}

function question(db: Database, person: string): { readonly title: string; readonly text: string } {
  const last = db.get<{ intention: string; done: number | null }>(
    "SELECT intention, done FROM days WHERE person = ? ORDER BY day DESC LIMIT 1",
    person,
  );
  const open = last && last.intention !== "" && last.done === null;
  return {
    title: "Good morning. How are you?",
    text: open
      ? `Last time you wanted: ${last.intention}. Did it work out?`
      : "What do you want to get done today?",
  };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
