import type { HandlerError, Topic } from "$client";
import { calmly } from "./calmly.ts";
import { errorFrom } from "./client.ts";
import { live } from "./live.svelte.ts";

/** How a resource is kept up to date. */
export interface ResourceOptions {
  /** Changes of these ask again. */
  readonly topics?: readonly Topic[];
  /** Only changes with this key, where a change has one. */
  readonly key?: () => string;
  /** Changes ask again at most this often, in milliseconds; for what is dear to ask or to show. */
  readonly calm?: number;
  /** Also asks again this often, in milliseconds, while the window is shown. */
  readonly every?: number;
}

/** Something asked of the daemon, how far that is, and what came last. */
export class Resource<T> {
  /** What came last; it stays while it is asked again. */
  value = $state.raw<T | undefined>();
  error = $state.raw<HandlerError | undefined>();
  loading = $state(true);
  readonly #load: (signal: AbortSignal) => Promise<T>;
  #running: AbortController | undefined;
  #again = false;

  constructor(load: (signal: AbortSignal) => Promise<T>) {
    this.#load = load;
  }

  /** Asks anew; one that is under way is given up. */
  async reload(): Promise<void> {
    this.stop();
    const running = this.#running = new AbortController();
    this.loading = true;
    try {
      const value = await this.#load(running.signal);
      if (running.signal.aborted) return;
      this.value = value;
      this.error = undefined;
    } catch (thrown) {
      if (running.signal.aborted) return;
      this.error = errorFrom(thrown);
    }
    this.loading = false;
    this.#running = undefined;
    if (this.#again) this.refresh();
  }

  /** Asks again when what is under way has come; many wishes meanwhile are one. */
  refresh(): void {
    this.#again = this.#running !== undefined;
    if (!this.#again) void this.reload();
  }

  /** Gives up what is under way. */
  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#again = false;
  }
}

/**
 * A resource of a component, asked when the component begins and again whenever what `load` reads of the component's
 * state changes, a topic is told, or the time has come. Call it while the component is made.
 */
export function resource<T>(
  load: (signal: AbortSignal) => Promise<T>,
  { topics = [], key, calm = 0, every }: ResourceOptions = {},
): Resource<T> {
  const made = new Resource(load);
  $effect(() => {
    void made.reload();
    return () => made.stop();
  });
  $effect(() => {
    const again = calm > 0 ? calmly(() => made.refresh(), calm) : undefined;
    const deaf = live.listen(topics, (changed) => {
      if (changed === null || !key || changed === key()) again ? again.ask() : made.refresh();
    });
    return () => (deaf(), again?.end());
  });
  if (every !== undefined) {
    $effect(() => {
      const timer = setInterval(() => document.hidden || made.refresh(), every);
      return () => clearInterval(timer);
    });
  }
  return made;
}
