import { TomlDate } from "smol-toml";
import type { TomlValue } from "./toml_text.ts";

const LONGEST = 60;
const INVISIBLE = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A text in quotes, cut where it is long, with nothing in it that could steer a terminal or turn the direction. */
export function quoted(text: string): string {
  const shown = text.length > LONGEST ? [...text.slice(0, LONGEST)].slice(0, -1).join("") + "…" : text;
  return JSON.stringify(shown).replace(
    INVISIBLE,
    (char) => "\\u" + char.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

/** A found value as an error message shows it. */
export function found(value: TomlValue): string {
  if (typeof value === "string") return quoted(value);
  if (value instanceof TomlDate || typeof value === "object") return foundType(value);
  const text = typeof value === "number" ? floatText(value) : String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** A float as TOML writes it, so that `30.0` does not look like the integer it is not. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : String(value);
}

/** What kind of value was found, without the value: for places where it could be a secret. */
export function foundType(value: TomlValue): string {
  if (typeof value === "string") return value === "" ? "an empty text" : "a text";
  if (typeof value === "bigint") return "an integer";
  if (typeof value === "number") return "a number";
  if (typeof value === "boolean") return "a boolean";
  if (value instanceof TomlDate) return dateType(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  return "a table";
}

function dateType(value: TomlDate): string {
  if (value.isDate()) return "a date";
  return value.isTime() ? "a time" : "a date-time";
}
