/** Lines that are kept; older ones are counted and let go. */
const MOST = 50_000;
const LONGEST = 10_000;

/** The lines of a log while it grows: however many come, the page is told once a frame. */
export class LogLines {
  /** Rises with every change of `lines`. */
  revision = $state(0);
  /** The bytes taken in so far: where to go on. */
  offset = 0;
  readonly #lines: string[] = [];
  #open = "";
  #decoder = new TextDecoder();
  #dropped = 0;
  #waiting = false;

  /** The lines that are kept, the last one as far as it has come. */
  get lines(): readonly string[] {
    void this.revision;
    return this.#open === "" ? this.#lines : [...this.#lines, this.#open];
  }

  /** Lines that were let go. */
  get dropped(): number {
    void this.revision;
    return this.#dropped;
  }

  /** How many lines there are to show. */
  get count(): number {
    void this.revision;
    return this.#lines.length + (this.#open === "" ? 0 : 1);
  }

  /** Some of the lines, from the first of those kept. */
  slice(from: number, to: number): readonly string[] {
    void this.revision;
    const part = this.#lines.slice(from, to);
    return to > this.#lines.length && this.#open !== "" ? [...part, this.#open] : part;
  }

  /** Takes in the next bytes of the log. */
  append(bytes: Uint8Array): void {
    this.offset += bytes.length;
    const parts = (this.#open + this.#decoder.decode(bytes, { stream: true })).split("\n");
    this.#open = parts.pop() ?? "";
    if (this.#open.length > LONGEST) parts.push(this.#open.slice(0, LONGEST)), this.#open = "";
    for (const line of parts) this.#lines.push(line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line);
    if (this.#lines.length > MOST) this.#dropped += this.#lines.splice(0, this.#lines.length - MOST).length;
    this.#tell();
  }

  /** Forgets everything, to be told it anew. */
  clear(): void {
    this.#lines.length = this.offset = this.#dropped = 0;
    this.#open = "";
    this.#decoder = new TextDecoder();
    this.#tell();
  }

  #tell(): void {
    if (this.#waiting) return;
    this.#waiting = true;
    requestAnimationFrame(() => {
      this.#waiting = false;
      this.revision++;
    });
  }
}
