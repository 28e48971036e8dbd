import { HandlerError } from "../base/mod.ts";

/** `2026-11-30 20:25:36` in the person's own time. */
export function localTime(ms: number): string {
  const date = new Date(ms);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}`;
}

/** `12 ms`, `3.4 s`, `5 min 3 s`, `2 h 4 min`, `3 d 2 h`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const [minutes, hours, days] = [60_000, 3_600_000, 86_400_000];
  if (ms < hours) return two(ms, minutes, "min", 1000, "s");
  return ms < days ? two(ms, hours, "h", minutes, "min") : two(ms, days, "d", hours, "h");
}

function two(ms: number, large: number, name: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${name}${rest > 0 ? ` ${rest} ${smallName}` : ""}`;
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * A time that a person names: a span before `now` such as `30m`, `2h`, `7d`, or a date such as `2026-11-30` or
 * `2026-11-30T08:00`.
 * @throws {HandlerError} `usage`
 */
export function pointInTime(text: string, now: number): number {
  const span = /^([0-9]{1,6})([smhd])$/.exec(text);
  if (span) return now - Number(span[1]) * (UNITS[span[2] ?? ""] ?? 0);
  // a date alone is UTC by the standard; with a time it is the person's own, so both are read as that
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00`) : new Date(text);
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(date.getTime())) return date.getTime();
  throw new HandlerError("usage", `${JSON.stringify(text)} is no time`, {
    hint: "write 30m, 2h, 7d, or a date such as 2026-11-30T08:00",
  });
}

/** `0 B`, `2.0 kB`, `3.1 MB`. */
export function bytes(number: number): string {
  if (number < 1000) return `${number} B`;
  const step = number < 1_000_000 ? [1000, "kB"] as const : [1_000_000, "MB"] as const;
  return `${(number / step[0]).toFixed(1)} ${step[1]}`;
}
