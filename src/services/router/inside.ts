import type { Json, JsonObject } from "../../base/mod.ts";
import { type CallContext, type CallRequest, recordRefused, runCall } from "./call.ts";
import { Cancellation } from "./cancellation.ts";
import { Deadlines } from "./deadlines.ts";
import { CallFailure } from "./failure.ts";
import { Gate } from "./gate.ts";
import type { Instances } from "./instances.ts";
import type { Caller, RouterPorts, ServedInterface } from "./ports.ts";
import { Pieces } from "./pieces.ts";
import type { Progress } from "./upstream.ts";

/** How a call from within the daemon is followed. */
export interface InsideOptions {
  readonly signal: AbortSignal;
  onProgress(progress: Progress): void;
  /** Whether progress is to bring pieces of the answer. */
  readonly inPieces: boolean;
}

/**
 * Calls of the daemon's own on one interface, such as those of a project's threads: what a caller's socket would carry,
 * with the same checks, limits, connections and records, and without the socket.
 */
export class InsideCalls {
  readonly served: ServedInterface;
  readonly #shared: Omit<CallContext, "caller" | "run">;

  constructor(parts: { ports: RouterPorts; instances: Instances; served: ServedInterface }) {
    const { maxConcurrent, timeoutSeconds } = parts.served.definition.limits;
    this.served = parts.served;
    const gate = new Gate(maxConcurrent);
    const deadlines = new Deadlines(parts.ports.clock, timeoutSeconds * 1000);
    this.#shared = { ...parts, gate, deadlines, connections: new Map() };
  }

  /**
   * One call; each is a run of its own, so that `maxCallsPerRun` is for agents.
   * @throws {CallFailure} of a code that the interface or the platform declares
   */
  async call(caller: Caller, name: string, args: JsonObject, options: InsideOptions): Promise<Json> {
    const tool = this.served.tools.get(name);
    if (!tool) {
      throw new CallFailure("invalid_input", `there is no tool ${name} in ${this.served.definition.id}`);
    }
    const context: CallContext = { ...this.#shared, caller, run: { calls: 0 } };
    const argumentsText = JSON.stringify(args);
    const fault = tool.checkInput(args);
    if (fault) {
      const text = `${fault.path || "/"}: ${fault.message}`;
      const failure = new CallFailure("invalid_input", text, `input ${text}`);
      recordRefused(context, name, argumentsText.length, undefined, failure);
      throw failure;
    }
    const cancellation = new Cancellation();
    const cancel = () => cancellation.cancel(new CallFailure("cancelled", "the caller cancelled the call"));
    if (options.signal.aborted) cancel();
    options.signal.addEventListener("abort", cancel, { once: true });
    const tell = (progress: Progress) => options.onProgress(progress);
    const { ports: { clock }, served: { definition: { limits } } } = this.#shared;
    const pieces = options.inPieces ? new Pieces({ clock, limit: limits.maxOutputBytes, tell }) : undefined;
    const request: CallRequest = {
      ...{ tool, arguments: args, argumentsText, traceparent: undefined, cancellation },
      ...{ onProgress: pieces?.take ?? tell, pieces },
    };
    try {
      const { structured } = await runCall(context, request);
      return JSON.parse(structured);
    } finally {
      options.signal.removeEventListener("abort", cancel);
    }
  }

  /** Ends the connections to connectors. */
  close(): void {
    this.#shared.deadlines.close();
    for (const upstream of this.#shared.connections.values()) {
      Promise.resolve(upstream).then((open) => open.closeAfterSent(), () => {});
    }
  }
}
