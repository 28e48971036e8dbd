import { type Clock, errorText, HandlerError, type Logger } from "../../base/mod.ts";
import { closeQuietly, type Connection } from "../../platform/mod.ts";
import type { EgressRecord, EgressRule } from "../spec.ts";
import { dial, type Dialled, type DialPorts } from "./dial.ts";
import { relay, type Traffic } from "./relay.ts";

/** What one sandbox's connections to the outside go through. */
export interface GatePorts extends DialPorts {
  readonly clock: Clock;
  readonly log: Logger;
  /** Called when a connection is open, with its bytes as they grow; what it gives is called when that has ended. */
  onConnect(sandbox: string, host: string, port: number, traffic: Readonly<Traffic>): () => void;
  onEgress(record: EgressRecord): void;
}

/** What a proxy does besides: it speaks to both sides before the bytes flow. */
export interface ProxyTalk {
  /** Called when the destination is open. */
  opened(far: Connection): Promise<void>;
  /** Tells the client why nothing was dialled. */
  refused(error: HandlerError): Promise<void>;
}

const MAX_OPEN = 256;
const IDLE_MS = 15 * 60_000;

/** Dials for one sandbox, counts its open connections and records each, also those that were refused. */
export class EgressGate {
  readonly #sandbox: string;
  readonly #ports: GatePorts;
  readonly #near = new Set<Connection>();
  readonly #far = new Set<Connection>();
  #closed = false;

  constructor(sandbox: string, ports: GatePorts) {
    this.#sandbox = sandbox;
    this.#ports = ports;
  }

  /**
   * Serves each connection of a listener until that is closed; one past the {@linkcode MAX_OPEN} that a sandbox may have
   * is closed at once.
   */
  async serveAll(
    listener: AsyncIterable<Connection>,
    serve: (near: Connection) => Promise<void>,
  ): Promise<void> {
    for await (const near of listener) {
      if (this.#closed || this.#near.size >= MAX_OPEN) {
        closeQuietly(near);
        continue;
      }
      this.#near.add(near);
      void serve(near).finally(() => {
        closeQuietly(near);
        this.#near.delete(near);
      });
    }
  }

  /** Connects what came in with the destination of a rule, until both sides have ended. */
  async connect(near: Connection, rule: EgressRule, talk?: ProxyTalk): Promise<void> {
    const { clock } = this.#ports;
    const [startedAt, began] = [clock.now(), clock.monotonic()];
    const traffic: Traffic = { sent: 0, received: 0 };
    const far = await this.#dial(rule).catch(toError);
    const error = far instanceof HandlerError
      ? await refuse(far, talk)
      : await this.#pass(near, far.connection, { rule, traffic, talk });
    this.#record({
      host: rule.host,
      port: rule.port,
      ...(far instanceof HandlerError ? {} : { address: far.address }),
      startedAt,
      durationMs: Math.round(clock.monotonic() - began),
      sentBytes: traffic.sent,
      receivedBytes: traffic.received,
      ...(error === undefined ? {} : { error }),
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
    for (const connection of [...this.#near, ...this.#far]) closeQuietly(connection);
  }

  async #dial(rule: EgressRule): Promise<Dialled> {
    const found = await dial(rule, this.#ports);
    if (!this.#closed) return found;
    closeQuietly(found.connection);
    throw new HandlerError("cancelled", "the sandbox has ended");
  }

  /** Passes bytes until both sides have ended; gives what went wrong. */
  async #pass(
    near: Connection,
    far: Connection,
    { rule, traffic, talk }: {
      readonly rule: EgressRule;
      readonly traffic: Traffic;
      readonly talk?: ProxyTalk | undefined;
    },
  ): Promise<string | undefined> {
    const ended = this.#ports.onConnect(this.#sandbox, rule.host, rule.port, traffic);
    this.#far.add(far);
    try {
      await talk?.opened(far);
      const outcome = await relay(near, far, { traffic, idleMs: IDLE_MS, clock: this.#ports.clock });
      if (outcome === "done") return undefined;
      return outcome === "idle" ? "ended after a long silence" : "one side broke off";
    } catch (error) {
      return errorText(error);
    } finally {
      closeQuietly(far);
      this.#far.delete(far);
      ended();
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

async function refuse(error: HandlerError, talk: ProxyTalk | undefined): Promise<string> {
  await talk?.refused(error).catch(() => {});
  return error.message;
}

function toError(error: unknown): HandlerError {
  return error instanceof HandlerError ? error : new HandlerError("unavailable", errorText(error));
}
