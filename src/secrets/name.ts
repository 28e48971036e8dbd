import { HandlerError, utf8 } from "../base/mod.ts";

const MAX_NAME_BYTES = 80;

/**
 * Checks the name of a stored secret. Any printable text is one: a name is only itself, `**` too, never a pattern or a
 * path.
 */
export function secretName(given: string): string {
  const name = given.normalize("NFC");
  const length = utf8(name).length;
  if (length >= 1 && length <= MAX_NAME_BYTES && name.trim() === name && !/\p{C}/u.test(name)) return name;
  throw new HandlerError(
    "usage",
    `a secret's name is 1 to ${MAX_NAME_BYTES} bytes of printable text without spaces at its ends, found ${
      JSON.stringify(given.slice(0, MAX_NAME_BYTES))
    }`,
  );
}

/** The file name for a name: lower-case letters, digits, `_` and `-` stay, every other byte is written `%XX`. */
export function fileName(name: string): string {
  return Array.from(utf8(name), (byte) => {
    const letter = String.fromCharCode(byte);
    return /[a-z0-9_-]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

/** The name behind a file name; undefined for a file that is not one of ours. */
export function nameOf(file: string): string | undefined {
  try {
    const name = decodeURIComponent(file);
    return fileName(name) === file ? name : undefined;
  } catch {
    return undefined;
  }
}
