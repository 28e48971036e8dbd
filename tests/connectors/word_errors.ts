/** The share of words that were heard or read wrong, left out or made up, of those that are there; 0 is none. */
export function wordErrorRate(truth: string, read: string): number {
  const expected = words(truth), found = words(read);
  let row = Array.from({ length: found.length + 1 }, (_, index) => index);
  expected.forEach((word, line) => {
    const next = [line + 1];
    found.forEach((other, index) => {
      const changed = (row[index] ?? 0) + (word === other ? 0 : 1);
      next.push(Math.min(changed, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    });
    row = next;
  });
  return (row.at(-1) ?? 0) / expected.length;
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter(Boolean);
}
