import type { Topic } from "$client";

/** How the page stands with the daemon. */
export type Connection = "connecting" | "open" | "lost" | "signed-out";

/** How long a window may be hidden before its connection is given back: a browser has six for all windows. */
const HIDDEN_MS = 5_000;
const LONGEST_WAIT_MS = 10_000;

type Listener = (key: string | null) => void;

/**
 * The one connection that tells what has changed. Who shows something listens to its topic and asks again; after a time
 * without a connection every listener is told, as anything may have changed.
 */
class Live {
  connection = $state<Connection>("connecting");
  /** Set when the daemon is not the version that this page came with. */
  outdated = $state(false);

  readonly #listeners = new Map<Topic, Set<Listener>>();
  #source: EventSource | undefined;
  #version: string | undefined;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Connects, and goes on doing so until the page ends. */
  start(): void {
    document.addEventListener("visibilitychange", () => this.#shown());
    addEventListener("online", () => this.retry());
    addEventListener("pagehide", () => this.#close());
    addEventListener("pageshow", (event) => event.persisted && this.#open());
    this.#open();
  }

  /** Calls `listener` for each change of some topics. @returns what ends that */
  listen(topics: readonly Topic[], listener: Listener): () => void {
    for (const topic of topics) {
      const listeners = this.#listeners.get(topic) ?? new Set();
      this.#listeners.set(topic, listeners.add(listener));
    }
    return () => topics.forEach((topic) => this.#listeners.get(topic)?.delete(listener));
  }

  /** Tries to connect at once. */
  retry(): void {
    if (this.connection !== "open") this.#open();
  }

  #shown(): void {
    clearTimeout(this.#timer);
    if (document.hidden) this.#timer = setTimeout(() => this.#close(), HIDDEN_MS);
    else if (!this.#source) this.#open();
  }

  #close(): void {
    this.#source?.close();
    this.#source = undefined;
  }

  #open(): void {
    this.#close();
    clearTimeout(this.#timer);
    const source = this.#source = new EventSource("/v1/changes");
    source.addEventListener("hello", (event) => this.#greeted(JSON.parse(event.data)));
    source.addEventListener("change", (event) => {
      const { topic, key } = JSON.parse(event.data) as { topic: Topic; key: string | null };
      this.#listeners.get(topic)?.forEach((listener) => listener(key));
    });
    source.addEventListener("error", () => void this.#failed(source));
  }

  #greeted({ version }: { readonly version: string }): void {
    this.outdated = this.#version !== undefined && version !== this.#version;
    const again = this.#version !== undefined;
    this.#version ??= version;
    this.#failures = 0;
    this.connection = "open";
    if (again) this.#tellAll();
  }

  #tellAll(): void {
    for (const listener of new Set([...this.#listeners.values()].flatMap((all) => [...all]))) listener(null);
  }

  async #failed(source: EventSource): Promise<void> {
    if (source !== this.#source) return;
    this.#close();
    const status = await fetch("/v1/status").then((answer) => answer.status, () => 0);
    this.connection = status === 401 ? "signed-out" : "lost";
    if (this.connection === "signed-out" || document.hidden) return;
    this.#failures++;
    this.#timer = setTimeout(() => this.#open(), Math.min(LONGEST_WAIT_MS, 250 * 2 ** this.#failures));
  }
}

/** The one connection of the page. */
export const live = new Live();
