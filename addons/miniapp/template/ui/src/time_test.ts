import assert from "node:assert/strict";
import { ago } from "./time.ts";

Deno.test("time is told as a person would", () => {
  const now = Date.parse("2026-03-10T12:00:00Z");
  const at = (seconds: number) => ago(new Date(now - seconds * 1000).toISOString(), now, "en");
  assert.equal(at(3), "now");
  assert.equal(at(-30), "now");
  assert.equal(at(60), "1 minute ago");
  assert.equal(at(3599), "59 minutes ago");
  assert.equal(at(7200), "2 hours ago");
  assert.equal(at(86_400), "yesterday");
  assert.equal(at(8 * 86_400), "Mar 2, 2026");
});
