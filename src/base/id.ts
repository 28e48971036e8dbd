import { utf8Text } from "./bytes.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"; // Crockford's base 32, in lower case
const RANDOM = 11;
const DRAWN = RANDOM * 256;

/** Chance is drawn for many identifiers at once: asking the system for it costs more than all the rest. */
let chance = "", used = 0;

/** Many identifiers are made in the same millisecond. */
let lastMs = -1, lastTime = "";

/** An identifier of 20 characters that sorts by time of making: 9 of milliseconds, 11 (55 bits) of chance. */
export function newId(now: number = Date.now()): string {
  if (used === chance.length) {
    chance = drawChance();
    used = 0;
  }
  if (now !== lastMs) {
    lastTime = encodeTime(now);
    lastMs = now;
  }
  return lastTime + chance.slice(used, used += RANDOM);
}

function drawChance(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(DRAWN));
  return utf8Text(bytes.map((byte) => ALPHABET.charCodeAt(byte & 31)));
}

function encodeTime(ms: number): string {
  let text = "";
  for (let rest = Math.max(0, Math.floor(ms)), i = 0; i < 9; i++, rest = Math.floor(rest / 32)) {
    text = ALPHABET[rest % 32] + text;
  }
  return text;
}

/** The rule for every name a person gives: a lower-case DNS label, which is safe in paths, sockets and hosts. */
export const NAME_PATTERN = /^[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/** The rule of {@linkcode NAME_PATTERN} in words, for error messages. */
export const NAME_RULE = "1 to 40 of a-z, 0-9 and '-', starting with a letter and not ending in '-'";
