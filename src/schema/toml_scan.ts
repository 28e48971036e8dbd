import { parse } from "smol-toml";

/** One part of a dotted key, decoded, with its place in the text. */
export interface KeyPart {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Moves through TOML text that a parser has already accepted, so it never has to doubt: it only tells where things
 * begin and end.
 */
export class TomlScanner {
  at = 0;

  constructor(readonly text: string) {}

  get done(): boolean {
    return this.at >= this.text.length;
  }

  peek(): string {
    return this.text.charAt(this.at);
  }

  /** Steps over blanks and tabs. */
  blanks(): void {
    while (this.peek() === " " || this.peek() === "\t") this.at++;
  }

  /** Steps over blanks, line ends, comments and the byte order mark. */
  void(): void {
    for (; !this.done; this.at++) {
      const char = this.peek();
      if (char === "#") this.at = this.lineEnd(this.at);
      else if (!" \t\r\n\ufeff".includes(char)) return;
    }
  }

  /** The offset of the line feed that ends the line of `offset`, or the text's length. */
  lineEnd(offset: number): number {
    const end = this.text.indexOf("\n", offset);
    return end === -1 ? this.text.length : end;
  }

  /** Reads a dotted key and stops after it. */
  key(): readonly KeyPart[] {
    const parts: KeyPart[] = [];
    for (;;) {
      this.blanks();
      parts.push(this.#keyPart());
      this.blanks();
      if (this.peek() !== ".") return parts;
      this.at++;
    }
  }

  #keyPart(): KeyPart {
    const start = this.at;
    const quote = this.peek();
    if (quote === '"' || quote === "'") this.string();
    else while (!this.done && !" \t.=]\r\n".includes(this.peek())) this.at++;
    return { name: keyName(this.text.slice(start, this.at)), start, end: this.at };
  }

  /** Steps over a string of any of the four kinds. */
  string(): void {
    const quote = this.peek();
    const long = this.text.startsWith(quote.repeat(3), this.at);
    const close = long ? quote.repeat(3) : quote;
    this.at += close.length;
    while (!this.done && !this.text.startsWith(close, this.at)) {
      this.at += quote === '"' && this.peek() === "\\" ? 2 : 1;
    }
    this.at += close.length;
    // up to two quotes may stand before the three that close
    for (let more = 0; long && more < 2 && this.peek() === quote; more++) this.at++;
  }

  /** Steps over a number, a boolean or a date, which may hold one blank. */
  scalar(): void {
    const start = this.at;
    while (!this.done && !",]}#\r\n".includes(this.peek())) this.at++;
    this.at = start + this.text.slice(start, this.at).trimEnd().length;
  }
}

function keyName(raw: string): string {
  if (raw.startsWith("'")) return raw.slice(1, -1);
  if (!raw.startsWith('"')) return raw;
  return raw.includes("\\") ? String(parse(`k = ${raw}`)["k"]) : raw.slice(1, -1);
}
