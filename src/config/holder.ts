import { asHandlerError, type HandlerError, type Logger, Mutex } from "../base/mod.ts";
import { changeBetween, type ConfigurationChange, isNoChange } from "./change.ts";
import type { Configuration } from "./records.ts";

/** What a holder is made of. */
export interface HolderParts {
  readonly initial: Configuration;
  /** Reads the whole set anew; throws what is wrong with it. */
  readonly load: () => Promise<Configuration>;
  readonly log: Logger;
}

/** How a reload ended: with the new set in force, or with the old one and why. */
export type ReloadResult =
  | { readonly ok: true; readonly change: ConfigurationChange }
  | { readonly ok: false; readonly error: HandlerError };

/** Is told of each new set with what differs from the one before; a set that says the same is not told. */
export type ConfigurationListener = (
  change: ConfigurationChange,
  current: Configuration,
  before: Configuration,
) => void | Promise<void>;

/**
 * Makes ready what hangs on a new set, while the old one is in force; what it gives puts that in force in the same
 * moment as the set. Where it throws, the old set stays.
 */
export type Provision = (next: Configuration) => Promise<() => void>;

/** The configuration in force. A reload that finds any problem leaves the old set in force. */
export class ConfigurationHolder {
  readonly #parts: HolderParts;
  readonly #listeners = new Set<ConfigurationListener>();
  readonly #turns = new Mutex();
  #current: Configuration;
  #problem: HandlerError | undefined;

  constructor(parts: HolderParts) {
    this.#parts = parts;
    this.#current = parts.initial;
  }

  /** The set in force. */
  current(): Configuration {
    return this.#current;
  }

  /** Why the last reload was refused; undefined where the set in force is what the files say. */
  problem(): HandlerError | undefined {
    return this.#problem;
  }

  /** Calls `listener` after each change; the returned function ends that. */
  subscribe(listener: ConfigurationListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Reads the files anew and, where all is well, puts them in force and waits until every listener has been told.
   * Never throws for what is wrong in a file; reloads that overlap run one after the other.
   */
  reload(provision: Provision = () => Promise.resolve(() => {})): Promise<ReloadResult> {
    return this.#turns.run(() => this.#reload(provision));
  }

  async #reload(provision: Provision): Promise<ReloadResult> {
    let next: Configuration;
    let putInForce: () => void;
    try {
      next = await this.#parts.load();
      putInForce = await provision(next);
    } catch (thrown) {
      this.#problem = asHandlerError(thrown, "the configuration could not be read");
      this.#parts.log.log("warn", `the old configuration stays in force: ${this.#problem.message}`);
      return { ok: false, error: this.#problem };
    }
    const before = this.#current;
    const change = changeBetween(before, next);
    this.#problem = undefined;
    this.#current = next;
    putInForce();
    if (!isNoChange(change)) await this.#tell(change, next, before);
    return { ok: true, change };
  }

  async #tell(change: ConfigurationChange, next: Configuration, before: Configuration): Promise<void> {
    for (const listener of [...this.#listeners]) {
      try {
        await listener(change, next, before);
      } catch (thrown) {
        const { message } = asHandlerError(thrown);
        this.#parts.log.log("error", `a part could not take the new configuration: ${message}`);
      }
    }
  }
}
