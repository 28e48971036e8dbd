import { isObject, type Json } from "../../base/mod.ts";
import { CODES, HANDSHAKE_VERSIONS, LATEST_HANDSHAKE } from "../../wire/mod.ts";
import { runCall, type ToolResult } from "./call.ts";
import type { Handlers } from "./types.ts";

/** What a JSON-RPC request is told apart by; 0 and "" are ids. */
type RequestId = string | number;

/** What a session is made of. */
export interface SessionOptions {
  readonly handlers: Handlers;
  /** The folder with `in/` and `out/`. */
  readonly files: string;
  readonly log: (line: string) => void;
  /** Sends one message; they leave in the order of asking. */
  readonly send: (message: Json) => void;
}

/** One connection's MCP: any number of calls under way at once. */
export class Session {
  readonly #options: SessionOptions;
  readonly #running = new Map<RequestId, AbortController>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Takes one whole frame. */
  receive(frame: Uint8Array): void {
    let message: unknown;
    try {
      message = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(frame));
    } catch {
      return this.#refuse(null, CODES.parse, "the message is not JSON in UTF-8");
    }
    if (!isObject(message) || typeof message["method"] !== "string") {
      return this.#refuse(null, CODES.invalidRequest, "the message is no request and no notification");
    }
    const params = isObject(message["params"]) ? message["params"] : {};
    const id = message["id"];
    if (typeof id === "string" || typeof id === "number") this.#request(id, message["method"], params);
    else if (id === undefined) this.#notice(message["method"], params);
    else this.#refuse(null, CODES.invalidRequest, "an id is a string or a number");
  }

  /** Aborts every call; nothing is sent for them any more. */
  end(reason: string): void {
    for (const controller of this.#running.values()) controller.abort(new DOMException(reason, "AbortError"));
    this.#running.clear();
  }

  #request(id: RequestId, method: string, params: { [key: string]: unknown }): void {
    if (method === "initialize") return this.#answer(id, welcome(params["protocolVersion"]));
    if (method === "ping") return this.#answer(id, {});
    if (method === "tools/list") return this.#answer(id, { tools: this.#tools() });
    if (method === "tools/call") return this.#call(id, params);
    this.#refuse(id, CODES.methodNotFound, "this connector has tools only");
  }

  #notice(method: string, params: { [key: string]: unknown }): void {
    if (method !== "notifications/cancelled") return;
    const id = params["requestId"] as RequestId;
    const controller = this.#running.get(id);
    this.#running.delete(id);
    controller?.abort(new DOMException("the caller cancelled", "AbortError"));
  }

  /** Only the names matter: the interface owns descriptions and schemas (rule S1). */
  #tools(): Json {
    return Object.keys(this.#options.handlers).map((name) => ({ name, inputSchema: { type: "object" } }));
  }

  #call(id: RequestId, params: { [key: string]: unknown }): void {
    const name = params["name"];
    const handler = typeof name === "string" && Object.hasOwn(this.#options.handlers, name)
      ? this.#options.handlers[name]
      : undefined;
    if (!handler) return this.#refuse(id, CODES.invalidParams, "this connector has no such tool");
    if (this.#running.has(id)) {
      return this.#refuse(id, CODES.invalidRequest, "a call with this id is under way");
    }
    const controller = new AbortController();
    this.#running.set(id, controller);
    const isOpen = () => this.#running.get(id) === controller;
    runCall({
      handler,
      input: params["arguments"] ?? {},
      meta: isObject(params["_meta"]) ? params["_meta"] : {},
      signal: controller.signal,
      files: this.#options.files,
      log: (line) => this.#options.log(`${name}: ${line}`),
      progress: (note) => {
        if (isOpen()) this.#options.send({ jsonrpc: "2.0", method: "notifications/progress", params: note });
      },
    }).then((result: ToolResult) => {
      if (!isOpen()) return;
      this.#running.delete(id);
      this.#answer(id, result);
    });
  }

  #answer(id: RequestId, result: Json): void {
    this.#options.send({ jsonrpc: "2.0", id, result });
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    this.#options.send({ jsonrpc: "2.0", id, error: { code, message } });
  }
}

function welcome(asked: unknown): Json {
  const protocolVersion = HANDSHAKE_VERSIONS.find((version) => version === asked) ?? LATEST_HANDSHAKE;
  return {
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "handler-connector", version: "1" },
  };
}
