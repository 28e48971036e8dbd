let now = $state(Date.now());
setInterval(() => document.hidden || (now = Date.now()), 30_000);
document.addEventListener("visibilitychange", () => now = Date.now());

/** The time as far as words like “5 minutes ago” need it: it moves every half minute. */
export function minute(): number {
  return Math.max(now, Date.now());
}
