/** The known word that a mistyped one most likely means; undefined where none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > 64) return undefined;
  let best: { readonly name: string; readonly steps: number } | undefined;
  for (const name of known) {
    const steps = distance(plain(word), plain(name));
    if (steps <= allowed(name) && (!best || steps < best.steps)) best = { name, steps };
  }
  return best?.name;
}

/** `api_version`, `api-version` and `apiVersion` are one word here. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[-_ ]/g, "");
}

function allowed(name: string): number {
  return Math.max(1, Math.floor(name.length / 3));
}

/** Steps of inserting, dropping, changing or swapping neighbours that turn one word into the other. */
function distance(a: string, b: string): number {
  let last: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let steps = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        steps = Math.min(steps, (last[j - 2] ?? 0) + 1);
      }
      next.push(steps);
    }
    [last, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
