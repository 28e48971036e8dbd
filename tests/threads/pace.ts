import { setImmediate } from "node:timers";

/** Says at each place where a program might be held up whether it is, so that kills fall between any two steps. */
export type Pace = () => boolean;

/** Never held up, but now and then, so that timers have their turn too, as beside a real connection. */
export function steady(): Pace {
  let steps = 0;
  return () => ++steps % 32 === 0;
}

/** Lets the event loop go round once. */
export function aRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
