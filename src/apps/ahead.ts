import { errorText } from "../base/mod.ts";
import { placesOf } from "./places.ts";
import type { AppsPorts } from "./ports.ts";
import type { App } from "./records.ts";
import { installed } from "./registry.ts";
import { makeWaiting, type Waiting } from "./waiting.ts";

/** Those that were called or looked at last; each is two small processes that wait. */
const MOST_WAITING = 16;

/**
 * Sandboxes of apps that sleep, made ahead of the next call (contract A.6): nothing of the app runs in them. An app with
 * secrets has none, since a secret is looked up when its backend starts.
 */
export class Ahead {
  readonly #ports: AppsPorts;
  readonly #waiting = new Map<string, Promise<Waiting | undefined>>();
  #closed = false;

  constructor(ports: AppsPorts) {
    this.#ports = ports;
  }

  has(name: string): boolean {
    return this.#waiting.has(name);
  }

  /** Makes one in the background, where there is none. */
  prepare(app: App): void {
    const version = installed(app);
    if (this.#closed || this.has(app.name) || !version || version.manifest.needs.secrets.length > 0) return;
    const { data } = placesOf(this.#ports.folders, app.name);
    const making = makeWaiting(this.#ports, { app, version, data, mode: "live" }).catch((error) => {
      this.#ports.log.log("warn", `nothing was made ahead for the app ${app.name}: ${errorText(error)}`);
      return undefined;
    });
    this.#waiting.set(app.name, making);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > MOST_WAITING && oldest !== undefined) void this.discard(oldest);
  }

  /** Gives away what waits, if what it sees is still what is there. */
  async take(name: string): Promise<Waiting | undefined> {
    const waiting = await this.#remove(name);
    if (!waiting || await waiting.isFresh()) return waiting;
    await this.#end(name, waiting);
    return undefined;
  }

  async discard(name: string): Promise<void> {
    const waiting = await this.#remove(name);
    if (waiting) await this.#end(name, waiting);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#waiting.keys()].map((name) => this.discard(name)));
  }

  #remove(name: string): Promise<Waiting | undefined> {
    const making = this.#waiting.get(name) ?? Promise.resolve(undefined);
    this.#waiting.delete(name);
    return making;
  }

  async #end(name: string, waiting: Waiting): Promise<void> {
    await waiting.discard().catch((error) =>
      this.#ports.log.log("warn", `after what was made ahead for the app ${name}: ${errorText(error)}`)
    );
  }
}
