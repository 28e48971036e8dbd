import { type Clock, errorText, HandlerError, type Logger } from "../../base/mod.ts";
import { closeQuietly, type Connection } from "../../platform/mod.ts";
import type { EgressRecord, EgressRule } from "../spec.ts";
import { dial, type Dialled, type DialPorts } from "./dial.ts";
import { relay, type Traffic } from "./relay.ts";

/** What one sandbox's connections to the outside go through. */
export interface GatePorts extends DialPorts {
  readonly clock: Clock;
  readonly log: Logger;
  /** Called when a connection is open; what it gives is called when that has ended. */
  onConnect(sandbox: string, host: string, port: number): () => void;
  onEgress(record: EgressRecord): void;
}

const MAX_OPEN = 256;
const IDLE_MS = 15 * 60_000;

/** Dials for one sandbox, counts its open connections and records each, also those that were refused. */
export class EgressGate {
  readonly #sandbox: string;
  readonly #ports: GatePorts;
  readonly #open = new Set<Connection>();
  #closed = false;

  constructor(sandbox: string, ports: GatePorts) {
    this.#sandbox = sandbox;
    this.#ports = ports;
  }

  /** Serves a connection that came for one destination. */
  async serve(near: Connection, rule: EgressRule): Promise<void> {
    await this.#recorded(near, rule, async (traffic, dialled) => {
      dialled(await this.#dial(rule));
      return traffic;
    });
  }

  /**
   * As {@linkcode serve}, for the proxy: `opened` may write to both sides before the bytes flow; `refused` tells the
   * client why nothing was dialled.
   */
  async serveProxied(
    near: Connection,
    rule: EgressRule,
    opened: (far: Connection) => Promise<void>,
    refused: (error: HandlerError) => Promise<void>,
  ): Promise<void> {
    await this.#recorded(near, rule, async (traffic, dialled) => {
      let found: Dialled;
      try {
        found = await this.#dial(rule);
      } catch (error) {
        await refused(toError(error)).catch(() => {});
        throw error;
      }
      dialled(found);
      await opened(found.connection);
      return traffic;
    });
  }

  /** Records a destination that no rule admits. */
  refuse(host: string, port: number, why: string): void {
    const startedAt = this.#ports.clock.now();
    this.#record({ host, port, startedAt, durationMs: 0, sentBytes: 0, receivedBytes: 0, error: why });
  }

  /** Ends every open connection; later ones are closed at once. */
  close(): void {
    this.#closed = true;
    for (const connection of this.#open) closeQuietly(connection);
    this.#open.clear();
  }

  async #dial(rule: EgressRule): Promise<Dialled> {
    if (this.#closed) throw new HandlerError("cancelled", "the sandbox has ended");
    if (this.#open.size >= 2 * MAX_OPEN) {
      throw new HandlerError("denied", `a sandbox has at most ${MAX_OPEN} connections open`);
    }
    return await dial(rule, this.#ports);
  }

  async #recorded(
    near: Connection,
    rule: EgressRule,
    open: (traffic: Traffic, dialled: (found: Dialled) => void) => Promise<Traffic>,
  ): Promise<void> {
    const { clock } = this.#ports;
    const [startedAt, began] = [clock.now(), clock.monotonic()];
    const traffic: Traffic = { sent: 0, received: 0 };
    let far: Dialled | undefined;
    let error: string | undefined;
    let ended: (() => void) | undefined;
    this.#open.add(near);
    try {
      await open(traffic, (found) => {
        far = found;
        this.#open.add(found.connection);
        ended = this.#ports.onConnect(this.#sandbox, rule.host, rule.port);
      });
      const outcome = await relay(near, far!.connection, { traffic, idleMs: IDLE_MS, clock });
      if (outcome !== "done") {
        error = outcome === "idle" ? "ended after a long silence" : "one side broke off";
      }
    } catch (thrown) {
      error = errorText(thrown);
    } finally {
      this.#forget(near, far?.connection);
      ended?.();
    }
    this.#record({
      host: rule.host,
      port: rule.port,
      ...(far ? { address: far.address } : {}),
      startedAt,
      durationMs: Math.round(clock.monotonic() - began),
      sentBytes: traffic.sent,
      receivedBytes: traffic.received,
      ...(error === undefined ? {} : { error }),
    });
  }

  #forget(...connections: (Connection | undefined)[]): void {
    for (const connection of connections) {
      if (!connection) continue;
      closeQuietly(connection);
      this.#open.delete(connection);
    }
  }

  #record(record: Omit<EgressRecord, "sandbox">): void {
    try {
      this.#ports.onEgress({ sandbox: this.#sandbox, ...record });
    } catch (error) {
      this.#ports.log.log("error", "a connection could not be recorded", { error: errorText(error) });
    }
  }
}

function toError(error: unknown): HandlerError {
  return error instanceof HandlerError ? error : new HandlerError("unavailable", errorText(error));
}
