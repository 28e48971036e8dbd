import { terminal } from "../src/platform/mod.ts";

/** One thing that the demo did. */
export interface Step {
  readonly name: string;
  readonly ms: number;
  readonly lines: readonly string[];
  readonly data: unknown;
}

/** Tells the steps as they happen, or keeps them to be printed as data. */
export class Story {
  readonly steps: Step[] = [];
  readonly #quiet: boolean;

  constructor(options: { readonly quiet: boolean }) {
    this.#quiet = options.quiet;
  }

  /** A line between the steps. */
  say(line: string): void {
    if (!this.#quiet) terminal.out(line + "\n");
  }

  /** Does a step, times it and tells it. What it throws stops the demo. */
  async step<T>(
    name: string,
    work: () => Promise<{ readonly lines: readonly string[]; readonly data: T }>,
  ): Promise<T> {
    const began = performance.now();
    const { lines, data } = await work();
    const ms = Math.round(performance.now() - began);
    this.steps.push({ name, ms, lines, data });
    this.say(`\n${this.steps.length}. ${name}  (${seconds(ms)})`);
    for (const line of lines) this.say(`   ${line}`);
    return data;
  }
}

/** `0.25 s` */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
