/**
 * How high each of many rows is, and so where it stands: as measured, else as guessed. Finding a place and changing a
 * height take a few steps, however many rows there are (a Fenwick tree).
 */
export class Heights {
  readonly #guess: number;
  readonly #measured = new Map<string, number>();
  #keys: readonly string[] = [];
  #index = new Map<string, number>();
  #heights = new Float64Array(0);
  #sums = new Float64Array(1);

  /** @param guess pixels of a row that was never seen */
  constructor(guess: number) {
    this.#guess = guess;
  }

  get count(): number {
    return this.#keys.length;
  }

  /** Which rows there are, in order; what was measured of a key is kept. */
  lay(keys: readonly string[]): void {
    const length = keys.length;
    this.#keys = keys;
    this.#index = new Map(keys.map((key, at) => [key, at]));
    this.#heights = new Float64Array(length);
    this.#sums = new Float64Array(length + 1);
    for (let at = 0; at < length; at++) this.#heights[at] = this.#measured.get(keys[at]!) ?? this.#guess;
    for (let at = 1; at <= length; at++) {
      this.#sums[at] = this.#sums[at]! + this.#heights[at - 1]!;
      const above = at + (at & -at);
      if (above <= length) this.#sums[above] = this.#sums[above]! + this.#sums[at]!;
    }
  }

  /** Takes a measured height in. @returns whether it is another one */
  measure(key: string, height: number): boolean {
    this.#measured.set(key, height);
    const at = this.#index.get(key);
    const change = at === undefined ? 0 : height - this.#heights[at]!;
    if (at === undefined || Math.abs(change) < 0.5) return false;
    this.#heights[at] = height;
    for (let step = at + 1; step <= this.#keys.length; step += step & -step) {
      this.#sums[step] = this.#sums[step]! + change;
    }
    return true;
  }

  /** The place of a key; undefined for none. */
  indexOf(key: string): number | undefined {
    return this.#index.get(key);
  }

  keyAt(index: number): string | undefined {
    return this.#keys[index];
  }

  heightAt(index: number): number {
    return this.#heights[index] ?? 0;
  }

  /** Where a row begins; that of the row after the last is the height of all. */
  top(index: number): number {
    let sum = 0;
    for (let step = Math.min(index, this.count); step > 0; step -= step & -step) sum += this.#sums[step]!;
    return sum;
  }

  /** The row at a distance from the top; the first or the last one beyond the ends. */
  at(pixels: number): number {
    let found = 0, rest = pixels;
    for (let step = 2 ** Math.floor(Math.log2(Math.max(1, this.count))); step >= 1; step /= 2) {
      const next = found + step;
      if (next > this.count || this.#sums[next]! > rest) continue;
      found = next;
      rest -= this.#sums[next]!;
    }
    return Math.min(found, Math.max(0, this.count - 1));
  }
}
