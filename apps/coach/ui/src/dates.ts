/** The date where the person is, as `YYYY-MM-DD`. */
export function localDay(time = new Date()): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

/** The day before, or so many before. */
export function dayBefore(day: string, count = 1): string {
  return new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10);
}

/** "today", "yesterday", else the weekday and date. */
export function dayName(day: string, today: string, locale?: string): string {
  if (day === today) return "Today";
  if (day === dayBefore(today)) return "Yesterday";
  const form = { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" } as const;
  return new Date(day).toLocaleDateString(locale, form);
}

/** How many days in a row there was a check-in, up to today or yesterday. */
export function streak(days: readonly { readonly day: string }[], today: string): number {
  const known = new Set(days.map(({ day }) => day));
  let at = known.has(today) ? today : dayBefore(today);
  let length = 0;
  for (; known.has(at); at = dayBefore(at)) length++;
  return length;
}
