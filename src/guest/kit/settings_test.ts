import assert from "node:assert/strict";
import { numberSetting, required, setting } from "./settings.ts";

const NAME = "KIT_SETTINGS_TEST";

function withValue(value: string, look: () => void): void {
  Deno.env.set(NAME, value);
  try {
    look();
  } finally {
    Deno.env.delete(NAME);
  }
}

Deno.test("an empty variable counts as unset", () => {
  withValue("", () => {
    assert.equal(setting(NAME), undefined);
    assert.equal(setting(NAME, "else"), "else");
    assert.throws(() => required(NAME), /needs the variable KIT_SETTINGS_TEST/);
    assert.equal(numberSetting(NAME, 3), 3);
  });
});

Deno.test("a set variable is taken, and an error about it never shows it", () => {
  withValue("7", () => {
    assert.equal(required(NAME), "7");
    assert.equal(numberSetting(NAME, 3), 7);
  });
  withValue("a-secret", () => {
    assert.throws(() => numberSetting(NAME, 3), (error: Error) => !error.message.includes("a-secret"));
  });
  withValue("0", () => assert.throws(() => numberSetting(NAME, 3), /at least 1/));
});
