import { HANDLER_VERSION, isObject } from "../../base/mod.ts";
import { closeQuietly, type Connection } from "../../platform/mod.ts";
import {
  CODES,
  errorResponse,
  FrameTooLong,
  FrameWriter,
  HANDSHAKE_VERSIONS,
  inputErrorsAreResults,
  LATEST_HANDSHAKE,
  longString,
  type Message,
  MessageError,
  META,
  notificationText,
  type Part,
  readFrames,
  readMessage,
  type RequestId,
  resultText,
  STATELESS_VERSIONS,
} from "../../wire/mod.ts";
import { type CallContext, type CallRequest, recordRefused, runCall } from "./call.ts";
import { Cancellation } from "./cancellation.ts";
import { CallFailure } from "./failure.ts";
import type { CallSuccess } from "./result.ts";
import { Pieces } from "./pieces.ts";
import { PIECES, type Progress } from "./upstream.ts";

const SERVER_INFO = { name: "handler", version: HANDLER_VERSION };
const STATELESS_META = JSON.stringify({ [META.serverInfo]: SERVER_INFO });
/** Listings are frozen with the interface's version, so a client may keep them for an hour. */
const LISTING_TTL_MS = 3_600_000;
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const PROBE_MS = 250;
/** In the `_meta` of a progress notification: where in the answer its piece belongs. */
const AT = "handler/at";
/** A caller that asks without reading gets no further answers queued than this many characters. */
const BACKLOG_LIMIT = 64 * 1024 * 1024;

/**
 * One connection of a caller: an MCP server in both eras (contract S.14), one reply per request, none after a cancel.
 */
export class CallerSession {
  readonly #connection: Connection;
  readonly #context: CallContext;
  readonly #writer: FrameWriter;
  readonly #running = new Map<RequestId, Cancellation>();
  readonly #listening = new Set<RequestId>();
  #version: string = LATEST_HANDSHAKE;
  #idle: (() => void) | undefined;

  constructor(connection: Connection, context: CallContext) {
    this.#connection = connection;
    this.#context = context;
    this.#writer = new FrameWriter(connection, () => this.close());
  }

  /** Serves until the caller is gone; its calls under way are then cancelled, at the connector too. */
  async serve(): Promise<void> {
    const { maxMessageBytes } = this.#context.served.definition.limits;
    try {
      const rest = await readFrames(this.#connection, maxMessageBytes, (frames) => {
        for (const frame of frames) this.#take(frame);
        if (this.#writer.backlog > BACKLOG_LIMIT) throw new Error("the caller does not read its answers");
      });
      if (rest) this.#take(rest);
      await this.#finished();
    } catch (error) {
      if (error instanceof FrameTooLong) {
        const why = `limit: a message may have at most ${error.limit} bytes`;
        this.#writer.send(errorResponse(null, CODES.invalidRequest, why));
      }
    }
    await this.#writer.flushed();
    this.close();
  }

  /** Ends the connection and cancels what runs. */
  close(): void {
    for (const cancellation of this.#running.values()) cancellation.cancel(gone());
    this.#running.clear();
    for (const upstream of this.#context.connections.values()) {
      Promise.resolve(upstream).then((open) => open.closeAfterSent(), () => {});
    }
    closeQuietly(this.#connection);
    this.#idle?.();
  }

  /**
   * The caller has closed its sending half: what it asked for is still answered. One that is gone altogether looks the
   * same until something is written, so an empty line, which is no message, is written now and then.
   */
  async #finished(): Promise<void> {
    if (this.#running.size === 0) return;
    const probe = setInterval(() => this.#writer.send("\n"), PROBE_MS);
    await new Promise<void>((resolve) => this.#idle = resolve);
    clearInterval(probe);
  }

  #take(frame: Uint8Array): void {
    let message: Message;
    try {
      message = readMessage(frame);
    } catch (error) {
      if (!(error instanceof MessageError)) throw error;
      this.#writer.send(errorResponse(error.id, error.code, error.message));
      return;
    }
    if (message.kind === "request") this.#request(message, message.id!);
    else if (message.method === "notifications/cancelled") this.#cancel(message.params.requestId);
  }

  #request(message: Message, id: RequestId): void {
    if (this.#running.has(id) || this.#listening.has(id)) {
      this.#refuse(id, CODES.invalidRequest, "a request with this id is still under way");
      return;
    }
    const version = this.#versionOf(message, id);
    if (version === undefined) return;
    const stateless = (STATELESS_VERSIONS as readonly string[]).includes(version);
    switch (message.method) {
      case "initialize":
        return stateless ? this.#unknown(id) : this.#initialize(message, id);
      case "ping":
        return stateless ? this.#unknown(id) : this.#reply(id, "{}");
      case "server/discover":
        return stateless ? this.#discover(id) : this.#unknown(id);
      case "subscriptions/listen":
        return stateless ? this.#listen(id) : this.#unknown(id);
      case "tools/list":
        return this.#list(message, id, stateless);
      case "tools/call":
        return this.#call(message, id, version, stateless);
      default:
        return this.#unknown(id);
    }
  }

  /** The revision a request is in: its own `_meta` says so, else the handshake did. Undefined once refused. */
  #versionOf(message: Message, id: RequestId): string | undefined {
    const meta = message.params._meta;
    const named = isObject(meta) ? meta[META.version] : undefined;
    if (named === undefined) {
      if (message.method !== "server/discover") return this.#version;
      this.#refuse(id, CODES.invalidParams, `_meta lacks ${META.version}`);
      return undefined;
    }
    if (!(STATELESS_VERSIONS as readonly unknown[]).includes(named)) {
      const data = { supported: STATELESS_VERSIONS, requested: String(named).slice(0, 40) };
      this.#writer.send(errorResponse(id, CODES.unsupportedVersion, "Unsupported protocol version", data));
      return undefined;
    }
    if (!isObject((meta as { [key: string]: unknown })[META.capabilities])) {
      this.#refuse(id, CODES.invalidParams, `_meta lacks ${META.capabilities}, an object`);
      return undefined;
    }
    return String(named);
  }

  #initialize(message: Message, id: RequestId): void {
    const asked = message.params.protocolVersion;
    if (typeof asked !== "string") {
      return this.#refuse(id, CODES.invalidParams, "initialize has a protocolVersion, a text");
    }
    this.#version = (HANDSHAKE_VERSIONS as readonly string[]).includes(asked) ? asked : LATEST_HANDSHAKE;
    this.#reply(
      id,
      JSON.stringify({
        protocolVersion: this.#version,
        capabilities: { tools: {} },
        serverInfo: SERVER_INFO,
        instructions: instructionsOf(this.#context.served.definition.skill),
      }),
    );
  }

  #discover(id: RequestId): void {
    const body = JSON.stringify({
      supportedVersions: STATELESS_VERSIONS,
      capabilities: { tools: {} },
      instructions: instructionsOf(this.#context.served.definition.skill),
      ttlMs: LISTING_TTL_MS,
      cacheScope: "private",
    });
    this.#reply(id, `${body.slice(0, -1)},"resultType":"complete","_meta":${STATELESS_META}}`);
  }

  /** Nothing here ever changes during a connection, so a listener is acknowledged and hears nothing. */
  #listen(id: RequestId): void {
    this.#listening.add(id);
    const params = { notifications: {}, _meta: { [META.subscription]: id } };
    this.#writer.send(notificationText("notifications/subscriptions/acknowledged", params));
  }

  #list(message: Message, id: RequestId, stateless: boolean): void {
    if (message.params.cursor !== undefined) {
      return this.#refuse(id, CODES.invalidParams, "the listing has one page, so no cursor is valid");
    }
    const tools = `"tools":${this.#context.served.definition.toolsText.trim().replace(/[\r\n]/g, " ")}`;
    if (!stateless) return this.#reply(id, `{${tools}}`);
    const caching = `"ttlMs":${LISTING_TTL_MS},"cacheScope":"private"`;
    this.#reply(id, `{${tools},"resultType":"complete",${caching},"_meta":${STATELESS_META}}`);
  }

  #call(message: Message, id: RequestId, version: string, stateless: boolean): void {
    const { name } = message.params;
    const tool = typeof name === "string" ? this.#context.served.tools.get(name) : undefined;
    if (!tool) return this.#refuse(id, CODES.invalidParams, "Unknown tool");
    const given = message.params.arguments ?? {};
    const argumentsText = message.payload && isObject(given) ? message.payload.text : "{}";
    const fault = isObject(given) ? tool.checkInput(given) : { path: "", message: "arguments is an object" };
    const extras = this.#extras(message);
    const cancellation = new Cancellation();
    const request: CallRequest = {
      tool,
      arguments: given,
      argumentsText,
      cancellation,
      ...extras,
    };
    if (fault) return this.#refuseInput(id, request, fault, version, stateless);
    void this.#run(id, stateless, request);
  }

  #extras(message: Message): Pick<CallRequest, "traceparent" | "onProgress" | "pieces"> {
    const meta = message.params._meta;
    if (!isObject(meta)) return { traceparent: undefined, onProgress: undefined, pieces: undefined };
    const { traceparent, progressToken } = meta;
    const tell = typeof progressToken === "string" || typeof progressToken === "number"
      ? this.#progressTo(message.id!, progressToken)
      : undefined;
    const pieces = tell && meta[PIECES] === true ? this.#pieces(tell) : undefined;
    return {
      traceparent: typeof traceparent === "string" && TRACEPARENT.test(traceparent) ? traceparent : undefined,
      onProgress: pieces?.take ?? tell,
      pieces,
    };
  }

  #pieces(tell: (progress: Progress) => void): Pieces {
    const { ports: { clock }, served: { definition: { limits } } } = this.#context;
    return new Pieces({ clock, limit: limits.maxOutputBytes, tell });
  }

  /**
   * Progress reaches the caller under its own token, grows as MCP wants it to, and stops with the result. A piece is never
   * left out: where its number does not grow, it gets the next one.
   */
  #progressTo(id: RequestId, progressToken: string | number): (progress: Progress) => void {
    let last = -Infinity;
    return ({ progress: given, total, piece }) => {
      const progress = piece ? Math.max(given, last + 1) : given;
      if (progress <= last || !this.#running.has(id)) return;
      last = progress;
      const params = {
        ...{ progressToken, progress },
        ...(total === undefined ? {} : { total }),
        ...(piece && { message: piece.text, _meta: { [AT]: piece.at } }),
      };
      this.#writer.send(notificationText("notifications/progress", params));
    };
  }

  #refuseInput(
    id: RequestId,
    { tool, argumentsText, traceparent }: CallRequest,
    fault: { readonly path: string; readonly message: string },
    version: string,
    stateless: boolean,
  ): void {
    const text = `${fault.path || "/"}: ${fault.message}`;
    const failure = new CallFailure("invalid_input", text, `input ${text}`);
    recordRefused(this.#context, tool.name, argumentsText.length, traceparent, failure);
    if (inputErrorsAreResults(version)) this.#reply(id, failureResult(failure, stateless));
    else this.#refuse(id, CODES.invalidParams, `Invalid arguments for tool ${tool.name}: ${text}`);
  }

  async #run(id: RequestId, stateless: boolean, request: CallRequest): Promise<void> {
    const { cancellation } = request;
    this.#running.set(id, cancellation);
    try {
      await runCall(this.#context, request, (success) => {
        this.#answer(id, cancellation, successAnswer(id, success, stateless));
      });
    } catch (error) {
      const result = failureResult(error as CallFailure, stateless);
      this.#answer(id, cancellation, [resultText(id, result)]);
    }
  }

  #answer(id: RequestId, cancellation: Cancellation, answer: readonly Part[]): void {
    if (this.#running.get(id) !== cancellation) return; // cancelled: nothing more is sent
    this.#running.delete(id);
    this.#writer.send(...answer);
    if (this.#running.size === 0) this.#idle?.();
  }

  #cancel(id: unknown): void {
    if (typeof id !== "string" && typeof id !== "number") return;
    this.#listening.delete(id);
    const cancellation = this.#running.get(id);
    if (!cancellation) return;
    this.#running.delete(id);
    cancellation.cancel(new CallFailure("cancelled", "the caller cancelled the call"));
    if (this.#running.size === 0) this.#idle?.();
  }

  #reply(id: RequestId, result: string): void {
    this.#writer.send(resultText(id, result));
  }

  #refuse(id: RequestId, code: number, message: string): void {
    this.#writer.send(errorResponse(id, code, message));
  }

  #unknown(id: RequestId): void {
    this.#refuse(id, CODES.methodNotFound, "Method not found");
  }
}

function gone(): CallFailure {
  return new CallFailure("cancelled", "the caller is gone");
}

/**
 * A success: the structured content as the connector wrote it, and the same as text for clients that know only text
 * (MCP asks for both).
 */
function successAnswer(
  id: RequestId,
  { structured, bytes }: CallSuccess,
  stateless: boolean,
): readonly Part[] {
  const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":`;
  const middle = `}],"structuredContent":`;
  const end = stateless ? `,"resultType":"complete","_meta":${STATELESS_META}}}\n` : "}}\n";
  if (bytes) return [start, longString(structured), middle, bytes, end];
  return [start + JSON.stringify(structured) + middle + structured + end];
}

/** A tool error (contract S.9): no structured content, which clients would validate and so mask the code. */
function failureResult({ code, message }: CallFailure, stateless: boolean): string {
  const text = JSON.stringify({ error: code, message });
  const content = `"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":true`;
  return stateless ? `{${content},"resultType":"complete","_meta":${STATELESS_META}}` : `{${content}}`;
}

/** The skill's text without its front matter: what a client puts into the model's prompt (seed S1). */
function instructionsOf(skill: string): string {
  return skill.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, "").trim();
}
