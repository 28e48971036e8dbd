import type { ByteStream } from "../../src/wire/mod.ts";
import { aRound, type Pace } from "./pace.ts";

/** One end of a connection inside the process. */
export interface PipeEnd extends ByteStream {
  close(): void;
}

/** Two ends of a connection: what is written to one is read from the other. */
export function pipe(pace: Pace): readonly [PipeEnd, PipeEnd] {
  const there = new OneWay(pace), back = new OneWay(pace);
  const close = () => {
    there.close();
    back.close();
  };
  return [
    { read: (into) => back.read(into), write: (bytes) => there.write(bytes), close },
    { read: (into) => there.read(into), write: (bytes) => back.write(bytes), close },
  ];
}

class OneWay {
  #held: Uint8Array[] = [];
  #rouse: (() => void) | undefined;
  #closed = false;
  readonly #pace: Pace;

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  async read(into: Uint8Array): Promise<number | null> {
    while (this.#held.length === 0) {
      if (this.#closed) return null;
      await new Promise<void>((resolve) => this.#rouse = resolve);
    }
    if (this.#pace()) await aRound();
    const [first] = this.#held.splice(0, 1) as [Uint8Array];
    const count = Math.min(into.length, first.length);
    into.set(first.subarray(0, count));
    if (count < first.length) this.#held.unshift(first.subarray(count));
    return count;
  }

  write(bytes: Uint8Array): Promise<number> {
    if (this.#closed) return Promise.reject(new Error("the pipe is closed"));
    this.#held.push(bytes.slice());
    this.#rouse?.();
    return Promise.resolve(bytes.length);
  }

  close(): void {
    this.#closed = true;
    this.#rouse?.();
  }
}
