import { connect, type Socket } from "node:net";

/** Where a server is: a port of this machine, or a unix socket. */
export type Target = { readonly port: number; readonly host: string } | { readonly path: string };

/** A connection that is kept, as a browser keeps it, with no more in the way than a socket. */
export class Line implements Disposable {
  readonly #socket: Socket;
  #got = "";
  #wake: () => void = () => {};

  constructor(target: Target) {
    this.#socket = connect(target);
    this.#socket.setNoDelay().setEncoding("latin1");
    this.#socket.on("data", (text) => {
      this.#got += text;
      this.#wake();
    });
    this.#socket.on("error", () => {}).on("close", () => {
      this.#got += CLOSED;
      this.#wake();
    });
  }

  /** Sends a request and waits for the whole answer. @returns its status */
  async ask(head: string): Promise<number> {
    this.#got = "";
    this.#socket.write(head, "latin1");
    for (;;) {
      const answer = wholeAnswer(this.#got);
      if (answer !== undefined) return answer;
      if (this.#got.includes(CLOSED)) {
        throw new Error(`the connection was closed: ${this.#got.slice(0, 200)}`);
      }
      await new Promise<void>((wake) => this.#wake = wake);
    }
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

const CLOSED = "\0closed";

function wholeAnswer(text: string): number | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, end))?.[1] ?? 0);
  if (text.length < end + 4 + length) return undefined;
  return Number(text.slice(9, 12));
}

/** A request's bytes. */
export function headOf(path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** One request over a connection of its own. */
export async function askOnce(target: Target, head: string): Promise<number> {
  using line = new Line(target);
  return await line.ask(head);
}

/** Milliseconds until a server that is starting gives its first good answer. */
export async function untilAnswered(target: Target, head: string, from: number): Promise<number> {
  for (;;) {
    const status = await askOnce(target, head).catch(() => 0);
    if (status === 200) return performance.now() - from;
    if (performance.now() - from > 30_000) throw new Error("no answer in 30 s");
    await new Promise((later) => setTimeout(later, 1));
  }
}
