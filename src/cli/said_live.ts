import { isObject, type Json } from "../base/mod.ts";
import { plain } from "./text.ts";

/** Where {@linkcode SaidLive} writes. */
export interface LivePlace {
  out(text: string): void;
  /** The line above an answer. */
  heading(prompt: string): string;
}

/**
 * Writes an answer as it is made, piece by piece and indented as messages are. Whatever else is printed meanwhile breaks
 * it off; the message is then printed whole when it is there.
 */
export class SaidLive {
  readonly #place: LivePlace;
  #message: string | undefined;
  #text = "";
  #broken = false;

  constructor(place: LivePlace) {
    this.#place = place;
  }

  /** Takes the data of an event `delta`. */
  take(data: Json): void {
    if (!isObject(data)) return;
    const { type, depth, message, at, text, prompt } = data as { readonly [key: string]: unknown };
    if (depth !== 0 || typeof message !== "string") return;
    if (type === "void" && message === this.#message) return this.#void();
    if (type !== "piece" || typeof text !== "string") return;
    if (at === 0 && (this.#message !== message || !this.#broken)) this.#begin(message, String(prompt));
    if (this.#broken || message !== this.#message || at !== this.#text.length) {
      return void (this.#broken = true);
    }
    this.#text += text;
    this.#place.out(plain(text).replaceAll("\n", "\n  "));
  }

  /** Something else is about to be printed. */
  breakOff(): void {
    if (this.#message === undefined || this.#broken) return;
    this.#place.out(" …\n");
    this.#broken = true;
  }

  /** Whether this message stands there already, as it is; its line is ended. */
  isWhole(message: string, content: string | null): boolean {
    if (message !== this.#message) return false;
    const whole = !this.#broken && this.#text.trim() === (content ?? "").trim();
    if (whole) this.#place.out("\n");
    else this.breakOff();
    this.#message = undefined;
    return whole;
  }

  #begin(message: string, prompt: string): void {
    this.breakOff();
    this.#message = message;
    this.#text = "";
    this.#broken = false;
    this.#place.out(`${this.#place.heading(prompt)}\n  `);
  }

  #void(): void {
    if (!this.#broken) this.#place.out(" … (void)\n");
    this.#message = undefined;
  }
}
