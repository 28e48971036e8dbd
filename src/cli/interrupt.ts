import { onSignals } from "../platform/mod.ts";

/** A signal that Ctrl-C and SIGTERM abort, until it is disposed of. */
export interface Interrupt extends Disposable {
  readonly signal: AbortSignal;
}

/** Lets Ctrl-C end what is under way and not the program. */
export function interruptible(): Interrupt {
  const stop = new AbortController();
  const forget = onSignals(["SIGINT", "SIGTERM"], () => stop.abort());
  return { signal: stop.signal, [Symbol.dispose]: forget };
}
