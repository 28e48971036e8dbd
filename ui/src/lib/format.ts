import { formatter, language, t } from "$texts";

const MINUTE = 60_000, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

/** `1.2 MB`. */
export function bytes(count: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const power = count < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(count) / 3));
  return formatter(Intl.NumberFormat, language(), {
    style: "unit",
    unit: units[power]!,
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(count / 1000 ** power);
}

/** A duration as short as it can be said: `340 ms`, `2.4 s`, `3 min 5 s`, `2 h 10 min`. @param ms milliseconds */
export function duration(ms: number): string {
  if (ms < 1000) return unit(Math.round(ms * (ms < 10 ? 10 : 1)) / (ms < 10 ? 10 : 1), "millisecond");
  if (ms < MINUTE) return unit(Math.round(ms / 100) / 10, "second");
  if (ms < HOUR) return parts(Math.floor(ms / MINUTE), "minute", Math.floor((ms % MINUTE) / 1000), "second");
  if (ms < DAY) return parts(Math.floor(ms / HOUR), "hour", Math.floor((ms % HOUR) / MINUTE), "minute");
  return parts(Math.floor(ms / DAY), "day", Math.floor((ms % DAY) / HOUR), "hour");
}

function unit(value: number, name: string): string {
  return formatter(Intl.NumberFormat, language(), { style: "unit", unit: name, unitDisplay: "short" }).format(
    value,
  );
}

function parts(first: number, large: string, second: number, small: string): string {
  return second === 0 ? unit(first, large) : `${unit(first, large)} ${unit(second, small)}`;
}

/** A moment in words that fit how far it is: `just now`, `5 minutes ago`, `yesterday`, else the date. */
export function ago(at: number, now = Date.now()): string {
  const past = now - at;
  const words = formatter(Intl.RelativeTimeFormat, language(), { numeric: "auto" });
  if (Math.abs(past) < 45_000) return t("time.now");
  if (Math.abs(past) < HOUR) return words.format(-Math.round(past / MINUTE), "minute");
  if (Math.abs(past) < DAY) return words.format(-Math.round(past / HOUR), "hour");
  if (Math.abs(past) < 7 * DAY) return words.format(-Math.round(past / DAY), "day");
  return formatter(Intl.DateTimeFormat, language(), { dateStyle: "medium" }).format(at);
}

/** A moment, whole: date and time to the second. */
export function moment(at: number): string {
  return formatter(Intl.DateTimeFormat, language(), { dateStyle: "medium", timeStyle: "medium" }).format(at);
}

/** The day that a moment is on. */
export function day(at: number): string {
  return formatter(Intl.DateTimeFormat, language(), { dateStyle: "full" }).format(at);
}

/** The time of day, to the second. */
export function clock(at: number): string {
  return formatter(Intl.DateTimeFormat, language(), { timeStyle: "medium" }).format(at);
}

/** A number as the language writes it. */
export function number(value: number, digits = 2): string {
  return formatter(Intl.NumberFormat, language(), { maximumFractionDigits: digits }).format(value);
}

/** A part of a whole: `12 %`. @param part from 0 to 1 */
export function percent(part: number): string {
  return formatter(Intl.NumberFormat, language(), {
    style: "percent",
    maximumFractionDigits: part < 0.1 ? 1 : 0,
  })
    .format(part);
}

/** Money; small sums keep the digits that say something. */
export function money(value: number, currency: string): string {
  const digits = value !== 0 && Math.abs(value) < 0.1 ? { maximumSignificantDigits: 2 } : {};
  return formatter(Intl.NumberFormat, language(), { style: "currency", currency, ...digits }).format(value);
}

/** Names joined as the language does it: `a, b and c`, or `a, b or c`. */
export function list(names: readonly string[], type: "conjunction" | "disjunction" = "conjunction"): string {
  return formatter(Intl.ListFormat, language(), { type }).format(names);
}
