import assert from "node:assert/strict";
import { dayBefore, dayName, localDay, streak } from "./dates.ts";

const days = (...names: string[]) => names.map((day) => ({ day }));

Deno.test("days are the person's own", () => {
  assert.equal(localDay(new Date(2026, 0, 5, 23, 59)), "2026-01-05");
  assert.equal(dayBefore("2026-03-01"), "2026-02-28");
  assert.equal(dayName("2026-03-10", "2026-03-10"), "Today");
  assert.equal(dayName("2026-03-09", "2026-03-10"), "Yesterday");
  assert.equal(dayName("2026-03-08", "2026-03-10", "en-GB"), "Sunday 8 March");
});

Deno.test("a streak goes on until a whole day was missed", () => {
  assert.equal(streak([], "2026-03-10"), 0);
  assert.equal(streak(days("2026-03-10", "2026-03-09", "2026-03-07"), "2026-03-10"), 2);
  assert.equal(streak(days("2026-03-09", "2026-03-08"), "2026-03-10"), 2);
  assert.equal(streak(days("2026-03-08"), "2026-03-10"), 0);
});
