import assert from "node:assert/strict";
import { TestClock } from "../../base/mod.ts";
import { DESK, OriginSessions } from "./sessions.ts";

const SECRET = new Uint8Array(32).fill(1);
const MINUTE = 60_000, DAY = 24 * 60 * MINUTE;

async function cookieOf(sessions: OriginSessions, app: string, person: string): Promise<string> {
  const header = await sessions.spend(app, sessions.link(app, person));
  assert.match(header![1], /; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/);
  return header![1].split(";")[0]!;
}

Deno.test("a link is good for its app, once, for two minutes", async () => {
  const clock = new TestClock();
  const sessions = await OriginSessions.make(clock, SECRET);
  const link = sessions.link("notes", "alice");
  assert.match(link, /^[0-9a-f]{48}$/);
  assert.ok(await sessions.spend("notes", link));
  assert.equal(await sessions.spend("notes", link), undefined);
  assert.equal(await sessions.spend("coach", sessions.link("notes", "alice")), undefined);
  const late = sessions.link("notes", "alice");
  clock.tick(2 * MINUTE);
  assert.equal(await sessions.spend("notes", late), undefined);
  assert.equal(await sessions.spend("notes", ""), undefined);
});

Deno.test("a cookie says who it is, at its own app, for thirty days, with this home's key", async () => {
  const clock = new TestClock();
  const sessions = await OriginSessions.make(clock, SECRET);
  const cookie = await cookieOf(sessions, "notes", "alice");
  assert.deepEqual(await sessions.visitor("notes", [["Cookie", cookie]]), { person: "alice" });
  assert.equal(await sessions.visitor("coach", [["Cookie", cookie]]), undefined);
  const again = await OriginSessions.make(clock, SECRET);
  assert.deepEqual(
    await again.visitor("notes", [["Cookie", cookie]]),
    { person: "alice" },
    "after a restart",
  );
  const other = await OriginSessions.make(clock, new Uint8Array(32).fill(2));
  assert.equal(await other.visitor("notes", [["Cookie", cookie]]), undefined);
  clock.tick(30 * DAY);
  assert.equal(await sessions.visitor("notes", [["Cookie", cookie]]), undefined);
});

Deno.test("a cookie that was changed, or is none, is nobody's", async () => {
  const sessions = await OriginSessions.make(new TestClock(), SECRET);
  const cookie = await cookieOf(sessions, "notes", "alice");
  const [until, , signature] = cookie.split("=")[1]!.split(".");
  const forged = [
    `${until}.owner.${signature}`,
    `${Number(until) + 1}.alice.${signature}`,
    `${until}.alice.${signature!.toUpperCase()}`,
    `${until}.alice.${signature!.slice(0, -2)}`,
    `${until}.alice.`,
    `${until}.alice`,
    `Infinity.alice.${signature}`,
    "",
    "owner",
  ];
  for (const value of forged) {
    const headers = [["Cookie", `handler-app=${value}`]] as const;
    assert.equal(await sessions.visitor("notes", headers), undefined, value);
  }
  for (const name of ["Handler-App", "handler-app2", "xhandler-app", " "]) {
    const headers = [["Cookie", cookie.replace("handler-app", name)]] as const;
    assert.equal(await sessions.visitor("notes", headers), undefined, name);
  }
});

Deno.test("among tossed cookies the one that is good counts; a flood of them signs out and no more", async () => {
  const sessions = await OriginSessions.make(new TestClock(), SECRET);
  const good = await cookieOf(sessions, "notes", "alice");
  const mallory = await cookieOf(sessions, "coach", "owner");
  const tossed = (count: number) => Array.from({ length: count }, () => mallory).join("; ");
  const text = `theme=dark; ${tossed(3)}; ${good}; lang=de`;
  assert.deepEqual(await sessions.visitor("notes", [["Cookie", text]]), { person: "alice" });
  const two = [["Cookie", mallory], ["cookie", good]] as const;
  assert.deepEqual(await sessions.visitor("notes", two), { person: "alice" });
  assert.equal(await sessions.visitor("notes", [["Cookie", `${tossed(20)}; ${good}`]]), undefined);
});

Deno.test("the desk's cookie and an app's are worth nothing at each other's origin, by whatever name", async () => {
  const sessions = await OriginSessions.make(new TestClock(), SECRET);
  const app = await cookieOf(sessions, "notes", "owner");
  const desk = await cookieOf(sessions, DESK, "owner");
  assert.match(desk, /^handler-desk=/);
  const whose = async (audience: string, cookie: string) =>
    (await sessions.visitor(audience, [["Cookie", cookie]]))?.person;
  assert.equal(await whose(DESK, desk), "owner");
  assert.equal(await whose("notes", app), "owner");
  for (const [audience, cookie] of [["notes", desk], [DESK, app]] as const) {
    assert.equal(await whose(audience, cookie), undefined);
    const name = audience === DESK ? "handler-desk" : "handler-app";
    assert.equal(await whose(audience, cookie.replace(/^[^=]*/, name)), undefined);
  }
  assert.equal(await sessions.spend("notes", sessions.link(DESK, "owner")), undefined);
  assert.equal(await sessions.spend(DESK, sessions.link("notes", "owner")), undefined);
});
