const STEPS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** "5 minutes ago", in the browser's language; a date for what is older than a week. */
export function ago(iso: string, now = Date.now(), locale?: string): string {
  const seconds = Math.round((now - Date.parse(iso)) / 1000);
  if (seconds >= 7 * 86_400) return new Date(iso).toLocaleDateString(locale, { dateStyle: "medium" });
  const words = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  for (const [unit, length] of STEPS) {
    if (seconds >= length) return words.format(-Math.floor(seconds / length), unit);
  }
  return words.format(0, "second");
}
