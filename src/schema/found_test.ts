import assert from "node:assert/strict";
import { parse } from "smol-toml";
import { found, foundType, quoted } from "./found.ts";
import type { TomlValue } from "./toml_text.ts";

const VALUES = parse(
  't = "x"\ne = ""\ni = 1\nf = 1.0\nb = true\nl = [1]\nn = []\no = {}\nd = 2026-01-01\nh = 07:00:00\nw = 2026-01-01T07:00:00Z',
  {
    integersAsBigInt: true,
  },
) as Record<string, TomlValue>;

Deno.test("values as errors show them", () => {
  const shown = Object.values(VALUES).map(found);
  assert.deepEqual(shown, [
    '"x"',
    '""',
    "1",
    "1.0",
    "true",
    "a list of 1",
    "an empty list",
    "a table",
    "a date",
    "a time",
    "a date-time",
  ]);
});

Deno.test("types as errors show them where the value could be a secret", () => {
  const shown = Object.values(VALUES).slice(0, 5).map(foundType);
  assert.deepEqual(shown, ["a text", "an empty text", "an integer", "a number", "a boolean"]);
});

Deno.test("a long text is cut between letters, and nothing in it can steer a terminal", () => {
  assert.equal(quoted("🌊".repeat(100)).isWellFormed(), true);
  assert.ok(quoted("x".repeat(1000)).length < 70);
  assert.equal(quoted("a\x1b[31m\u202eb\u200b\x7f\n"), '"a\\u001b[31m\\u202eb\\u200b\\u007f\\n"');
  assert.ok(found(10n ** 500n).length < 70);
});
