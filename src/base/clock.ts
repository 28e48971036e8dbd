/** Time as a port, so that a test can turn it. */
export interface Clock {
  /** Wall time in milliseconds since 1970; it may jump. */
  now(): number;
  /** Milliseconds that only ever grow; for durations and limits. */
  monotonic(): number;
  /** Calls `fire` once after `ms`; the returned function forgets it. */
  after(ms: number, fire: () => void): () => void;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, fire) {
    const timer = setTimeout(fire, ms);
    return () => clearTimeout(timer);
  },
};

/** A clock that stands until a test moves it. */
export class TestClock implements Clock {
  #wall: number;
  #grown = 0;
  #alarms: { at: number; fire: () => void }[] = [];

  constructor(start = 1_700_000_000_000) {
    this.#wall = start;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#grown;
  }

  after(ms: number, fire: () => void): () => void {
    const alarm = { at: this.#grown + ms, fire };
    this.#alarms.push(alarm);
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }

  /** Lets `ms` pass and fires what is due, in order. */
  tick(ms: number): void {
    const end = this.#grown + ms;
    for (;;) {
      const next = this.#alarms.filter((alarm) => alarm.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#alarms = this.#alarms.filter((alarm) => alarm !== next);
      this.#advance(Math.max(next.at, this.#grown));
      next.fire();
    }
    this.#advance(end);
  }

  /** Moves the wall clock alone, as a person or NTP does. */
  jump(ms: number): void {
    this.#wall += ms;
  }

  #advance(to: number): void {
    this.#wall += to - this.#grown;
    this.#grown = to;
  }
}
