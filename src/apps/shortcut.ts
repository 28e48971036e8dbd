import { HandlerError, Mutex } from "../base/mod.ts";
import {
  findProgram,
  gvariantString,
  gvariantStrings,
  parseGvariantString,
  parseGvariantStrings,
  run,
  sessionBus,
} from "../platform/mod.ts";

const MEDIA_KEYS = "org.gnome.settings-daemon.plugins.media-keys";
const FOLDER = "/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings/";
/** Where GNOME keeps keys of its own. */
const OTHER_KEYS = [
  "org.gnome.shell.keybindings",
  "org.gnome.desktop.wm.keybindings",
  "org.gnome.mutter.keybindings",
];
const LIMIT_MS = 10_000;

/** `<Super>n`, `<Control><Alt>F2`, `XF86Tools`: a key that would not be typed in the middle of a text. */
const MODIFIED =
  /^(?:<Shift>)?(?:<(?:Super|Control|Ctrl|Primary|Alt|Meta|Hyper)>(?:<Shift>)?)+[A-Za-z0-9_]{1,40}$/;
const ALONE = /^(?:<Shift>)?(?:F[1-9][0-9]?|XF86[A-Za-z0-9]{1,40}|Pause|Print|Scroll_Lock|Menu)$/;

/** Shortcuts of the person's desktop that open apps. */
export interface Shortcuts {
  /**
   * Binds keys to an app's window, in place of those that were bound to it.
   *
   * @returns what of GNOME's own has the same keys, so that they may not reach the app; undefined for nothing
   * @throws {HandlerError} `usage` for keys that are none, `conflict` where another program's shortcut has them,
   * `unavailable` where this desktop keeps no such settings
   */
  bind(app: string, keys: string): Promise<string | undefined>;
  /** Takes an app's keys away; all others stay as they are. */
  unbind(app: string): Promise<void>;
}

/** What {@linkcode gnomeShortcuts} needs. */
export interface ShortcutParts {
  /** The words that open an app's window, from anywhere. */
  command(app: string): readonly string[];
}

/**
 * Shortcuts as GNOME's custom keybindings (seed `mini-apps.md` §5.1): one entry `handler-<app>` each. The list of entries
 * is the person's and of other programs, so it is read, changed by that one entry, and read again to see that it holds.
 */
export function gnomeShortcuts(parts: ShortcutParts): Shortcuts {
  const turns = new Mutex();
  return {
    bind: (app, keys) => turns.run(() => bind(app, keys, parts.command(app).map(shellWord).join(" "))),
    unbind: (app) => turns.run(() => unbind(app)),
  };
}

async function bind(app: string, keys: string, command: string): Promise<string | undefined> {
  if (!MODIFIED.test(keys) && !ALONE.test(keys)) throw noKeys(keys);
  const own = `${FOLDER}handler-${app}/`;
  const entries = await list();
  await refuseTaken(entries.filter((entry) => entry !== own), keys);
  for (
    const [key, value] of [["name", `handler: ${app}`], ["command", command], ["binding", keys]] as const
  ) {
    await gsettings("set", entrySchema(own), key, gvariantString(value));
  }
  if (!entries.includes(own)) await change([...entries, own]);
  if (await read(entrySchema(own), "binding") !== keys) throw notKept();
  return await usedByGnome(keys);
}

async function unbind(app: string): Promise<void> {
  const own = `${FOLDER}handler-${app}/`;
  const entries = await list();
  if (entries.includes(own)) await change(entries.filter((entry) => entry !== own));
  await gsettings("reset-recursively", entrySchema(own));
}

function entrySchema(path: string): string {
  return `${MEDIA_KEYS}.custom-keybinding:${path}`;
}

async function list(): Promise<readonly string[]> {
  return parseGvariantStrings(await gsettings("get", MEDIA_KEYS, "custom-keybindings"));
}

async function change(entries: readonly string[]): Promise<void> {
  await gsettings("set", MEDIA_KEYS, "custom-keybindings", gvariantStrings(entries));
  const now = await list();
  if (now.length !== entries.length || now.some((entry, index) => entry !== entries[index])) throw notKept();
}

async function read(schema: string, key: string): Promise<string | undefined> {
  return parseGvariantString(await gsettings("get", schema, key));
}

async function refuseTaken(entries: readonly string[], keys: string): Promise<void> {
  for (const entry of entries) {
    if (!entry.startsWith("/") || !entry.endsWith("/")) continue; // what is no path has no keys either
    if (spelled(await read(entrySchema(entry), "binding") ?? "") !== spelled(keys)) continue;
    const name = await read(entrySchema(entry), "name") || entry;
    throw new HandlerError("conflict", `${keys} opens ${JSON.stringify(name)} already`, {
      hint: "choose other keys, or change that shortcut in the settings of the desktop",
    });
  }
}

async function usedByGnome(keys: string): Promise<string | undefined> {
  for (const schema of OTHER_KEYS) {
    const lines = (await gsettings("list-recursively", schema).catch(() => "")).split("\n");
    for (const line of lines) {
      const [, key, value = ""] = /^\S+ (\S+) (.*)$/.exec(line) ?? [];
      if (key && accelerators(value).some((one) => spelled(one) === spelled(keys))) return `${schema} ${key}`;
    }
  }
  return undefined;
}

function accelerators(value: string): readonly string[] {
  try {
    return parseGvariantStrings(value);
  } catch {
    return []; // a setting of another type
  }
}

/** One spelling for the same keys: GNOME reads them in any order and case, Control under three names. */
function spelled(keys: string): string {
  const plain = keys.toLowerCase().replace(/<(?:primary|ctrl)>/g, "<control>");
  const modifiers = [...new Set(plain.match(/<[^>]*>/g) ?? [])].sort();
  return modifiers.join("") + plain.replace(/<[^>]*>/g, "");
}

async function gsettings(...args: readonly string[]): Promise<string> {
  const program = await findProgram("gsettings");
  const bus = await sessionBus();
  if (!program || !bus) {
    throw noDesktop(program ? "there is no session bus" : "there is no program gsettings");
  }
  const argv = [program, ...args];
  const result = await run(argv, {
    inheritEnv: true,
    env: { DBUS_SESSION_BUS_ADDRESS: bus },
    timeoutMs: LIMIT_MS,
  });
  if (result.code === 0) return result.stdout;
  throw noDesktop(
    result.stderr.trim().split("\n")[0]?.slice(0, 200) ?? `gsettings ended with ${result.code}`,
  );
}

function noDesktop(why: string): HandlerError {
  return new HandlerError("unavailable", `this desktop's shortcuts cannot be changed: ${why}`, {
    hint: "bind keys to the command `handler app open NAME` in the settings of your desktop",
  });
}

function notKept(): HandlerError {
  return noDesktop("gsettings does not keep what is set");
}

function noKeys(keys: string): HandlerError {
  return new HandlerError(
    "usage",
    `a shortcut is a key with <Super>, <Control> or <Alt>, found ${JSON.stringify(keys)}`,
    {
      hint: 'such as "<Super>n" or "<Control><Alt>F2"',
    },
  );
}

/** A word of a command line that GNOME splits as a shell does. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
