/** Names that GNOME has for keys which a browser names otherwise. */
const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: "Up",
  ArrowDown: "Down",
  ArrowLeft: "Left",
  ArrowRight: "Right",
  PageUp: "Page_Up",
  PageDown: "Page_Down",
  ScrollLock: "Scroll_Lock",
  PrintScreen: "Print",
  ContextMenu: "Menu",
  Enter: "Return",
  Backspace: "BackSpace",
  " ": "space",
  ",": "comma",
  ".": "period",
  "-": "minus",
  "+": "plus",
  "=": "equal",
  "/": "slash",
  "\\": "backslash",
  ";": "semicolon",
  "'": "apostrophe",
  "`": "grave",
  "[": "bracketleft",
  "]": "bracketright",
};

const MODIFIERS = [
  "Meta",
  "OS",
  "Control",
  "Alt",
  "AltGraph",
  "Shift",
  "CapsLock",
  "NumLock",
  "Fn",
  "Hyper",
  "Super",
];

/** Keys that were pressed, as far as they say what a shortcut needs. */
export type Pressed = Pick<KeyboardEvent, "key" | "code" | "metaKey" | "ctrlKey" | "altKey" | "shiftKey">;

/** Pressed keys in GNOME's words, `<Super>n`; undefined while only modifiers are held. */
export function accelerator(pressed: Pressed): string | undefined {
  const { key, metaKey, ctrlKey, altKey, shiftKey } = pressed;
  if (MODIFIERS.includes(key) || key === "Dead" || key === "Unidentified") return undefined;
  const held = [metaKey && "<Super>", ctrlKey && "<Control>", altKey && "<Alt>", shiftKey && "<Shift>"];
  return held.filter(Boolean).join("") + nameOf(pressed);
}

/** A letter that is not among GNOME's plain names, or one that Alt made another, goes by the key it stands on. */
function nameOf({ key, code }: Pressed): string {
  const known = NAMES[key];
  if (known !== undefined) return known;
  if (/^[A-Za-z0-9]$/.test(key)) return key.toLowerCase();
  if (key.length > 1) return key;
  return /^(?:Key|Digit)(.)$/.exec(code)?.[1]?.toLowerCase() ?? code;
}

/** The single keys of a shortcut, to be shown each as a key. */
export function keysOf(shortcut: string): readonly string[] {
  const modifiers = [...shortcut.matchAll(/<([^>]+)>/g)].map(([, name]) =>
    name === "Control" ? "Ctrl" : name!
  );
  const key = shortcut.replaceAll(/<[^>]*>/g, "").replaceAll("_", " ");
  return [...modifiers, key.length === 1 ? key.toUpperCase() : key];
}
