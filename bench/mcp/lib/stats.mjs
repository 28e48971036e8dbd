/** Of a sorted list. */
export const quantile = (sorted, q) =>
  sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] : NaN;
export const median = (list) => quantile([...list].sort((a, b) => a - b), 0.5);
/** Milliseconds as whole microseconds. */
export const us = (ms) => Number.isFinite(ms) ? Math.round(ms * 1000) : null;

/** The quiet batches: those with the least foreign load, at least half of them. */
export function quiet(batches) {
  const byNoise = [...batches].sort((a, b) => a.foreign - b.foreign);
  return byNoise.filter((b, i) => i < Math.ceil(batches.length / 2) || b.foreign < 0.1);
}
