import assert from "node:assert/strict";
import { bytes, duration, localTime, pointInTime } from "./time.ts";

Deno.test("durations read well at every size", () => {
  const shown = [0, 999, 1000, 59_900, 60_000, 303_000, 3_600_000, 7_440_000, 90_000_000].map(duration);
  assert.deepEqual(shown, [
    "0 ms",
    "999 ms",
    "1.0 s",
    "59.9 s",
    "1 min",
    "5 min 3 s",
    "1 h",
    "2 h 4 min",
    "1 d 1 h",
  ]);
});

Deno.test("bytes too", () => {
  assert.deepEqual([0, 999, 1000, 2_500_000].map(bytes), ["0 B", "999 B", "1.0 kB", "2.5 MB"]);
});

Deno.test("a point in time is a span before now or a date of the person's own", () => {
  assert.equal(pointInTime("30m", 10_000_000), 10_000_000 - 1_800_000);
  assert.equal(pointInTime("2d", 0), -172_800_000);
  assert.equal(localTime(pointInTime("2026-11-30", 0)), "2026-11-30 00:00:00");
  assert.equal(localTime(pointInTime("2026-11-30T08:15", 0)), "2026-11-30 08:15:00");
  assert.equal(pointInTime("2026-11-30T08:00Z", 0), Date.UTC(2026, 10, 30, 8));
  for (const text of ["", "5", "h", "5w", "soon", "2026-13-40", "-5m"]) {
    assert.throws(() => pointInTime(text, 0), /is no time/, text);
  }
});
