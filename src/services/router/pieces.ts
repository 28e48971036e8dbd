import type { Clock } from "../../base/mod.ts";
import type { Progress } from "./upstream.ts";

/** A piece of an answer that is being made. What has `at` 0 begins anew: the pieces before it are void. */
export interface Piece {
  /** UTF-16 units of the answer before it. */
  readonly at: number;
  readonly text: string;
}

/** What is told at once; what comes sooner after it waits, and is told as one. */
const PAUSE_MS = 50;

/**
 * The pieces of one call's answer, over all the bindings that are tried: about 20 a second, in order, and together no
 * longer than an answer may be. Progress without a text goes through.
 */
export class Pieces {
  readonly #tell: (progress: Progress) => void;
  readonly #clock: Clock;
  readonly #limit: number;
  #at = 0;
  #waiting = "";
  #progress = 0;
  #full = false;
  #forget: (() => void) | undefined;

  /** @param limit the longest answer, in UTF-16 units */
  constructor(
    parts: {
      readonly clock: Clock;
      readonly limit: number;
      readonly tell: (progress: Progress) => void;
    },
  ) {
    this.#tell = parts.tell;
    this.#clock = parts.clock;
    this.#limit = parts.limit;
  }

  /** Takes the connector's progress. */
  readonly take = (one: Progress): void => {
    const { message, ...numbers } = one;
    if (message === undefined) return this.#tell(numbers);
    this.#progress = Math.max(this.#progress, one.progress);
    this.#full ||= this.#at + this.#waiting.length + message.length > this.#limit;
    if (this.#full) return;
    this.#waiting += message;
    if (!this.#forget) this.#flush();
  };

  /** What was told is void: the answer comes from another provider, or not at all. */
  void(): void {
    this.#stop();
    this.#full = false;
    const told = this.#at > 0;
    this.#at = 0;
    if (told) {
      this.#tell({ progress: this.#progress, piece: { at: 0, text: "" } });
    }
  }

  /** The answer is whole: tells what waits. */
  end(): void {
    const rest = this.#waiting;
    this.#stop();
    if (rest !== "") this.#say(rest);
  }

  #flush(): void {
    this.#forget = undefined;
    // a character is not told in halves
    const half = /[\uD800-\uDBFF]$/.test(this.#waiting) ? 1 : 0;
    const text = this.#waiting.slice(0, this.#waiting.length - half);
    if (text === "") return;
    this.#waiting = this.#waiting.slice(text.length);
    this.#say(text);
    this.#forget = this.#clock.after(PAUSE_MS, () => this.#flush());
  }

  #say(text: string): void {
    const piece = { at: this.#at, text };
    this.#at += text.length;
    this.#tell({ progress: this.#progress, piece });
  }

  #stop(): void {
    this.#forget?.();
    this.#forget = undefined;
    this.#waiting = "";
  }
}
