/** Who keeps something alive, in the order of coming. */
export class Holders {
  readonly #held = new Set<number>();
  #last = 0;

  /** Counts one more; what it gives is called once, at the end. */
  hold(released: () => void): () => void {
    const number = ++this.#last;
    this.#held.add(number);
    return () => {
      if (this.#held.delete(number)) released();
    };
  }

  get isHeld(): boolean {
    return this.#held.size > 0;
  }

  /** The number of the last that came. */
  get last(): number {
    return this.#last;
  }

  /** Whether one is left of those that came up to a number. */
  isHeldBy(upTo: number): boolean {
    const [first] = this.#held;
    return first !== undefined && first <= upTo;
  }
}
