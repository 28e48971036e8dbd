import assert from "node:assert/strict";
import { gnomeShortcuts } from "../../src/apps/mod.ts";
import { run } from "../../src/platform/mod.ts";
import { desktopSession } from "./session.ts";

const KEYS = "org.gnome.settings-daemon.plugins.media-keys";
const FOLDER = "/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings/";

async function gsettings(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(["gsettings", ...args], { inheritEnv: true });
  assert.equal(code, 0, stderr);
  return stdout.trim();
}

const list = () => gsettings("get", KEYS, "custom-keybindings");
const entry = (name: string, key: string) =>
  gsettings("get", `${KEYS}.custom-keybinding:${FOLDER}${name}/`, key);

/** A shortcut of the person's own, as the settings of the desktop make one. */
async function personal(name: string, command: string, binding: string): Promise<void> {
  const schema = `${KEYS}.custom-keybinding:${FOLDER}${name}/`;
  for (const [key, value] of [["name", name], ["command", command], ["binding", binding]] as const) {
    await gsettings("set", schema, key, value);
  }
}

const shortcuts = gnomeShortcuts({ command: (app) => ["/opt/my apps/handler", "app", "open", app] });

Deno.test("a shortcut is added beside the person's own, changed and taken away; theirs stay as they are", async () => {
  await using _ = await desktopSession();
  await personal("custom0", "flameshot gui", "Print");
  await personal("custom1", 'it\'s "mine"', "<Super>t");
  const before = `['${FOLDER}custom0/', '${FOLDER}custom1/']`;
  await gsettings("set", KEYS, "custom-keybindings", before);
  await shortcuts.bind("notes", "<Super>n");
  assert.equal(await list(), `['${FOLDER}custom0/', '${FOLDER}custom1/', '${FOLDER}handler-notes/']`);
  assert.equal(await entry("handler-notes", "binding"), "'<Super>n'");
  assert.equal(await entry("handler-notes", "name"), "'handler: notes'");
  assert.equal(await entry("handler-notes", "command"), `"'/opt/my apps/handler' app open notes"`);
  await shortcuts.bind("notes", "<Control><Alt>F2");
  await shortcuts.bind("coach", "<Super>n");
  assert.equal(await entry("handler-notes", "binding"), "'<Control><Alt>F2'");
  await shortcuts.unbind("notes");
  assert.equal(await list(), `['${FOLDER}custom0/', '${FOLDER}custom1/', '${FOLDER}handler-coach/']`);
  assert.equal(await entry("handler-notes", "binding"), "''");
  await shortcuts.unbind("coach");
  await shortcuts.unbind("coach");
  assert.equal(await list(), before);
  assert.equal(await entry("custom1", "command"), `"it's \\"mine\\""`);
  assert.equal(await entry("custom0", "binding"), "'Print'");
});

Deno.test("the first shortcut there is, and the last one gone", async () => {
  await using _ = await desktopSession();
  assert.equal(await list(), "@as []");
  await shortcuts.bind("notes", "<Super>n");
  assert.equal(await list(), `['${FOLDER}handler-notes/']`);
  await shortcuts.unbind("notes");
  assert.equal(await list(), "@as []");
});

Deno.test("keys of another shortcut are refused, in whatever spelling, and nothing is changed", async () => {
  await using _ = await desktopSession();
  await personal("custom0", "terminal", "<Primary><Alt>t");
  await gsettings("set", KEYS, "custom-keybindings", `['${FOLDER}custom0/', 'nonsense']`);
  for (const keys of ["<Control><Alt>t", "<Alt><Ctrl>T"]) {
    await assert.rejects(shortcuts.bind("notes", keys), {
      kind: "conflict",
      message: /opens "custom0" already/,
    });
  }
  assert.equal(await list(), `['${FOLDER}custom0/', 'nonsense']`);
  assert.equal(await entry("handler-notes", "binding"), "''");
});

Deno.test("the desktop's own use of the same keys is told", async () => {
  await using _ = await desktopSession();
  assert.equal(await shortcuts.bind("notes", "<Alt>F4"), "org.gnome.desktop.wm.keybindings close");
  assert.equal(await shortcuts.bind("notes", "<Super>F12"), undefined);
});

Deno.test("apps that are bound at once all stay", async () => {
  await using _ = await desktopSession();
  await Promise.all(["a", "b", "c"].map((app, n) => shortcuts.bind(app, `<Super>F${n + 1}`)));
  assert.equal((await list()).match(/handler-/g)?.length, 3);
});

Deno.test("keys that would be typed in a text are refused", async () => {
  for (const keys of ["n", "<Shift>n", "<Super>", "<Super>n; rm", "<Super>n\n", "<Super>'", "", "Escape"]) {
    await assert.rejects(shortcuts.bind("notes", keys), { kind: "usage" }, keys);
  }
});

Deno.test("no desktop is told with the way out", async () => {
  await using session = await desktopSession();
  Deno.env.set("GSETTINGS_BACKEND", "memory");
  try {
    await assert.rejects(shortcuts.bind("notes", "<Super>n"), {
      kind: "unavailable",
      message: /does not keep/,
    });
  } finally {
    Deno.env.delete("GSETTINGS_BACKEND");
  }
  await session.onlyPrograms();
  await assert.rejects(shortcuts.bind("notes", "<Super>n"), {
    kind: "unavailable",
    hint: /handler app open/,
  });
});
