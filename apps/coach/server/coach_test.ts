import assert from "node:assert/strict";
import { coachApp } from "./app.ts";
import { HandlerRefused, type Notice, type OpenApp, openApp } from "./vendor/handler_app.js";

const MORNING = Date.parse("2026-03-10T07:30:00Z");
const HOUR = 3_600_000;

interface Opened {
  readonly app: OpenApp;
  readonly told: Notice[];
  /** Hours since that morning. */
  later(hours: number): void;
  checkIn(json: Record<string, unknown>, person?: string): Promise<Response>;
  morning(): Promise<readonly string[]>;
}

async function withApp(use: (opened: Opened) => Promise<void>): Promise<void> {
  let time = MORNING;
  const told: Notice[] = [];
  const tell = (notice: Notice) => {
    if (notice.person === "gone") return Promise.reject(new HandlerRefused(403, "not shared"));
    told.push(notice);
    return Promise.resolve();
  };
  using app = await openApp(coachApp({ tell, now: () => new Date(time) }), { data: ":memory:" });
  await use({
    app,
    told,
    later: (hours) => time = MORNING + hours * HOUR,
    checkIn: (json, person = "owner") => app.call("POST /api/checkin", { person, json }),
    morning: async () => (await (await app.call("POST /api/cron/morning")).json()).asked,
  });
}

const TODAY = { day: "2026-03-10", mood: 4, intention: "Write the letter" };

Deno.test("a check-in is kept per person and day, and said again it replaces", () =>
  withApp(async ({ app, checkIn }) => {
    const days = async (person: string) => await (await app.call("GET /api/days", { person })).json();
    assert.deepEqual(await (await checkIn(TODAY)).json(), { ...TODAY, done: null });
    await checkIn({ ...TODAY, mood: 2 });
    assert.deepEqual(await days("owner"), [{ ...TODAY, mood: 2, done: null }]);
    assert.deepEqual(await days("alice"), []);
    assert.equal((await app.call("PUT /api/days/2026-03-10", { json: { done: true } })).status, 200);
    await checkIn(TODAY);
    assert.deepEqual(await days("owner"), [{ ...TODAY, done: true }]);
    const hers = { person: "alice", json: { done: true } };
    assert.equal((await app.call("PUT /api/days/2026-03-10", hers)).status, 404);
  }));

Deno.test("a queued check-in may be a week late, not more, and says something", () =>
  withApp(async ({ checkIn }) => {
    const status = async (change: Record<string, unknown>) => (await checkIn({ ...TODAY, ...change })).status;
    for (const day of ["2026-03-03", "2026-03-11"]) assert.equal(await status({ day }), 200, day);
    for (const day of ["2026-02-20", "2026-03-13", "2026-13-01", "today", 7]) {
      assert.equal(await status({ day }), 400, String(day));
    }
    for (const mood of [0, 6, 2.5, "3", undefined]) assert.equal(await status({ mood }), 400, String(mood));
    assert.equal(await status({ intention: "x".repeat(501) }), 400);
  }));

Deno.test("the morning asks the owner and regulars, once, and nobody who has checked in", () =>
  withApp(async ({ told, later, checkIn, morning }) => {
    assert.deepEqual(await morning(), ["owner"]);
    assert.deepEqual(await morning(), []);
    assert.match(told[0]!.text, /What do you want to get done/);
    await checkIn(TODAY, "owner");
    await checkIn({ ...TODAY, intention: "" }, "alice");
    later(24);
    assert.deepEqual(await morning(), ["alice", "owner"]);
    assert.deepEqual(told.slice(1).map(({ person, text, link }) => [person, text, link]), [
      ["alice", "What do you want to get done today?", "/"],
      ["owner", "Last time you wanted: Write the letter. Did it work out?", "/"],
    ]);
    later(47);
    await checkIn({ ...TODAY, day: "2026-03-12" }, "owner");
    later(48);
    assert.deepEqual(await morning(), ["alice"]);
    later(24 * 40);
    assert.deepEqual(await morning(), ["owner"]);
  }));

Deno.test("a person with whom the app is no longer shared does not stop the others", () =>
  withApp(async ({ told, later, checkIn, morning }) => {
    await checkIn(TODAY, "gone");
    later(24);
    const { error } = console;
    console.error = () => {};
    try {
      assert.deepEqual(await morning(), ["owner"]);
    } finally {
      console.error = error;
    }
    assert.equal(told.length, 1);
  }));
