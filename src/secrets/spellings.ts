import { utf8 } from "../base/mod.ts";

/** The shortest text that is looked for in logs. */
export const MIN_REDACTED = 4;
const MIN_LINE = 16;
const MIN_BASE64 = 6;

/**
 * The ways in which a value may stand in a log: as it is, each long line of it, as JSON writes it, as a URL or a form
 * writes it, and as base64 makes it, alone or inside a longer text.
 */
export function spellings(value: string): readonly string[] {
  const whole = [value, ...jsonSpellings(value), ...urlSpellings(value), ...base64Spellings(value)];
  const lines = longLines(value).flatMap((line) => [line, ...jsonSpellings(line)]);
  return [...new Set([...whole, ...lines])].filter((text) => text.length >= MIN_REDACTED);
}

/** Logs are made of lines, so the lines of a key are looked for one by one; its markers are no secret. */
function longLines(value: string): string[] {
  const lines = value.split(/\r?\n/);
  return lines.length === 1
    ? []
    : lines.filter((line) => line.length >= MIN_LINE && !line.startsWith("-----"));
}

function jsonSpellings(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1);
  const ascii = plain.replace(/[^\x20-\x7e]/g, unicodeEscape);
  const html = ascii.replace(/[<>&'+]/g, unicodeEscape);
  return [plain, plain.replaceAll("/", "\\/"), ascii, html];
}

function unicodeEscape(letter: string): string {
  return "\\u" + letter.charCodeAt(0).toString(16).padStart(4, "0");
}

function urlSpellings(text: string): string[] {
  const component = percentEncoded(text, /[A-Za-z0-9\-_.!~*'()]/);
  const strict = percentEncoded(text, /[A-Za-z0-9\-_.~]/);
  const path = percentEncoded(text, /[A-Za-z0-9\-_.!~*'();,/?:@&=+$#]/);
  const form = percentEncoded(text, /[A-Za-z0-9\-_.* ]/).replaceAll(" ", "+");
  const upper = [component, strict, path, form];
  return [...upper, ...upper.map((one) => one.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()))];
}

function percentEncoded(text: string, kept: RegExp): string {
  return Array.from(utf8(text), (byte) => {
    const letter = String.fromCharCode(byte);
    return byte < 0x80 && kept.test(letter) ? letter : "%" + byte.toString(16).toUpperCase().padStart(2, "0");
  }).join("");
}

/** Base64 depends on where in its text the value starts, so there are three; what the neighbours colour is cut off. */
function base64Spellings(text: string): string[] {
  const bytes = utf8(text);
  if (bytes.length < MIN_BASE64) return [];
  const cores = [0, 1, 2].map((before) => base64Core(bytes, before));
  const whole = base64(bytes).replace(/=+$/, "");
  const standard = [whole, ...cores];
  return [...standard, ...standard.map((one) => one.replaceAll("+", "-").replaceAll("/", "_"))];
}

function base64Core(bytes: Uint8Array, before: number): string {
  const padded = new Uint8Array(before + bytes.length);
  padded.set(bytes, before);
  const first = Math.ceil(before * 8 / 6);
  const last = Math.floor(padded.length * 8 / 6);
  return base64(padded).slice(first, last);
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
