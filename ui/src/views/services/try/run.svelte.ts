import type { HandlerError, Json, TrialReport } from "$client";
import { client, errorFrom } from "$lib/client.ts";
import type { TrialFolder } from "./trial.svelte.ts";

/** What a call is made of. */
export interface Wanted {
  readonly tool: string;
  readonly binding: string;
  readonly input: Json;
}

/** One call that a person tries: whether it is under way, since when, and what came of it. */
export class Run {
  running = $state(false);
  stopped = $state(false);
  /** Milliseconds since it began, while it is under way. */
  elapsed = $state(0);
  report = $state.raw<TrialReport | undefined>();
  /** What was called with, as it was then. */
  called = $state.raw<Wanted | undefined>();
  /** The daemon could not even ask. */
  error = $state.raw<HandlerError | undefined>();
  readonly #folder: TrialFolder;
  #control: AbortController | undefined;

  constructor(folder: TrialFolder) {
    this.#folder = folder;
  }

  /** Calls, in place of what was called before. */
  async start(wanted: Wanted): Promise<void> {
    this.stop();
    const control = this.#control = new AbortController();
    this.running = true;
    this.stopped = false;
    this.error = this.report = undefined;
    this.called = wanted;
    const began = performance.now();
    this.elapsed = 0;
    const timer = setInterval(() => this.elapsed = performance.now() - began, 200);
    try {
      const report = await client.trialCall(await this.#folder.id(), wanted, control.signal);
      if (control.signal.aborted) return;
      this.report = report;
      this.#folder.add(report.made);
    } catch (thrown) {
      if (!control.signal.aborted) this.error = errorFrom(thrown);
    } finally {
      clearInterval(timer);
      if (this.#control === control) this.running = false;
    }
  }

  /** Ends the call; its provider is told. */
  stop(): void {
    if (this.running) this.stopped = true;
    this.#control?.abort();
    this.#control = undefined;
    this.running = false;
  }
}
