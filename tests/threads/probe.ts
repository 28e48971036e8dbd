import { type Deferred, deferred } from "../../src/base/mod.ts";

/** What a definition in a test's own process reaches by `globalThis.probe`. */
export class Probe {
  /** What definitions noted, in order. */
  readonly notes: unknown[] = [];
  readonly #gates = new Map<string, Deferred<void>>();
  /** Gates at which somebody waits or waited. */
  readonly reached: Set<string> = new Set();

  note(value: unknown): void {
    this.notes.push(value);
  }

  /** Waits at a gate until the test opens it. */
  async gate(name: string): Promise<void> {
    this.reached.add(name);
    await this.#gate(name).promise;
  }

  open(name: string): void {
    this.#gate(name).resolve();
  }

  /** Resolves once a definition stands at a gate. */
  async at(name: string): Promise<void> {
    while (!this.reached.has(name)) await new Promise((resolve) => setTimeout(resolve));
  }

  /** Resolves once something was noted. */
  async until(value: unknown): Promise<void> {
    while (!this.notes.includes(value)) await new Promise((resolve) => setTimeout(resolve));
  }

  /** Resolves once so many things were noted. */
  async times(count: number): Promise<void> {
    while (this.notes.length < count) await new Promise((resolve) => setTimeout(resolve));
  }

  #gate(name: string): Deferred<void> {
    let gate = this.#gates.get(name);
    if (!gate) this.#gates.set(name, gate = deferred());
    return gate;
  }
}
