import assert from "node:assert/strict";
import { accelerator, keysOf, type Pressed } from "./keys.ts";

function pressed(key: string, parts: Partial<Pressed> = {}): Pressed {
  return { key, code: "", metaKey: false, ctrlKey: false, altKey: false, shiftKey: false, ...parts };
}

Deno.test("pressed keys are said as GNOME says them", () => {
  assert.equal(accelerator(pressed("n", { metaKey: true })), "<Super>n");
  assert.equal(
    accelerator(pressed("N", { ctrlKey: true, altKey: true, shiftKey: true })),
    "<Control><Alt><Shift>n",
  );
  assert.equal(accelerator(pressed("ArrowUp", { metaKey: true })), "<Super>Up");
  assert.equal(accelerator(pressed("F9")), "F9");
  assert.equal(accelerator(pressed("œ", { altKey: true, code: "KeyQ" })), "<Alt>q");
});

Deno.test("as long as only modifiers are held there is no shortcut", () => {
  assert.equal(accelerator(pressed("Meta", { metaKey: true })), undefined);
  assert.equal(accelerator(pressed("Shift", { shiftKey: true })), undefined);
});

Deno.test("a shortcut is shown key by key", () => {
  assert.deepEqual(keysOf("<Control><Alt>n"), ["Ctrl", "Alt", "N"]);
  assert.deepEqual(keysOf("<Super>Page_Up"), ["Super", "Page Up"]);
});
