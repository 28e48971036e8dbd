/**
 * What the router's tests stand on: a connector that runs in the test itself and does what it is told, a caller's raw
 * socket, and an interface with one tool for each kind of schema. Not part of the program.
 * @module
 */
import {
  deferred,
  HandlerError,
  type JsonObject,
  silentLogger,
  systemClock,
  utf8Text,
} from "../../base/mod.ts";
import {
  type Connection,
  connectUnix,
  ensureFolder,
  listenUnix,
  temporaryFolder,
} from "../../platform/mod.ts";
import type { Sandbox, SandboxExit, SandboxSpec } from "../../sandbox/mod.ts";
import type { CallRecord } from "../../store/mod.ts";
import { FrameSplitter, type Message, readFrames, readMessage } from "../../wire/mod.ts";
import type { ResolvedBinding } from "../bindings.ts";
import type { Interface, InterfaceLimits } from "../interface.ts";
import type { Caller, RouterPorts, ServedInterface } from "./ports.ts";
import { Router } from "./router.ts";
import { serveInterface } from "./serve.ts";

/** How a scripted connector answers one call. */
export type Answer = (call: ScriptedCall) => Promise<unknown> | unknown;

/** A call as the scripted connector got it. */
export interface ScriptedCall {
  readonly message: Message;
  readonly arguments: { readonly [key: string]: unknown };
  readonly files: string;
  readonly cancelled: Promise<void>;
  /** Writes bytes of any kind on the connection. */
  raw(text: string): Promise<void>;
  progress(value: number, message?: string): Promise<void>;
  /** Ends the connector as a crash would. */
  die(): void;
}

/** A success with this structured content. */
export function success(structured: unknown, extra: JsonObject = {}): unknown {
  return { content: [], structuredContent: structured, ...extra };
}

/** A tool error in the declared form. */
export function failed(error: string, message = ""): unknown {
  return { content: [{ type: "text", text: JSON.stringify({ error, message }) }], isError: true };
}

const ECHO_TOOLS = [
  {
    name: "echo_text",
    description: "Gives the text back.",
    inputSchema: {
      type: "object",
      additionalProperties: false,
      required: ["text"],
      properties: { text: { type: "string" }, count: { type: "integer" } },
    },
    outputSchema: {
      type: "object",
      additionalProperties: false,
      required: ["text"],
      properties: { text: { type: "string" } },
    },
  },
  {
    name: "echo_file",
    description: "Reads a file, writes a file.",
    inputSchema: {
      type: "object",
      additionalProperties: false,
      properties: {
        path: { type: "string", format: "handler-file" },
        out: { type: "string", format: "handler-output-file" },
      },
    },
    outputSchema: {
      type: "object",
      additionalProperties: false,
      required: ["size"],
      properties: { size: { type: "integer" } },
    },
  },
] as const;

const LIMITS: InterfaceLimits = {
  maxConcurrent: 8,
  maxCallsPerRun: 0,
  maxFileBytes: 1_000_000,
  maxOutputBytes: 8_000_000,
  maxMessageBytes: 16 * 1024 * 1024,
  timeoutSeconds: 30,
  progressSeconds: 0,
};

/** The interface `echo/v1`. */
export function echoInterface(limits: Partial<InterfaceLimits> = {}): ServedInterface {
  const toolsText = JSON.stringify(ECHO_TOOLS, null, 2);
  const definition: Interface = {
    name: "echo",
    version: 1,
    id: "echo/v1",
    description: "Echoes",
    folder: "/nowhere",
    limits: { ...LIMITS, ...limits },
    errors: { unavailable: "the echo is down", odd: "the text is odd" },
    tools: JSON.parse(toolsText),
    toolsText,
    skill: "---\nname: echo\n---\nUse echo_text.\n",
    hash: "h1",
    origin: "shipped",
  };
  return serveInterface(definition);
}

/** One run of the router with scripted connectors. */
export class RouterRig implements AsyncDisposable {
  readonly folder: string;
  readonly scope: string;
  readonly router: Router;
  readonly records: CallRecord[] = [];
  /** Binding name to what its connector does; a missing one cannot start. */
  readonly answers = new Map<string, Answer>();
  readonly egress = new Set<string>();
  readonly starts: string[] = [];
  readonly #sandboxes: ScriptedSandbox[] = [];
  bindingHash = "b1";
  idleMs = 60_000;
  #socketCount = 0;

  private constructor(folder: string) {
    this.folder = folder;
    this.scope = `${folder}/work`;
    this.router = new Router(this.#ports());
  }

  static async make(): Promise<RouterRig> {
    const folder = await temporaryFolder("router-");
    await ensureFolder(`${folder}/work`);
    return new RouterRig(folder);
  }

  /** A connection of a new caller whose calls go to these bindings. */
  async caller(bindings: readonly string[], served = echoInterface(), caller: Partial<Caller> = {}) {
    const folder = `${this.folder}/a${++this.#socketCount}`;
    const sockets = await this.router.open(
      {
        id: "agent:test",
        session: "s1",
        scope: this.scope,
        selection: () => bindings,
        privacy: "any",
        ...caller,
      },
      folder,
      new Map([["echo", served]]),
    );
    const path = `${folder}/echo.sock`;
    return { sockets, path, client: await RawClient.connect(path) };
  }

  get running(): number {
    return this.#sandboxes.filter((sandbox) => !sandbox.ended).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.router.close();
    await Deno.remove(this.folder, { recursive: true });
  }

  #ports(): RouterPorts {
    return {
      clock: systemClock,
      log: silentLogger,
      runtimeFolder: this.folder,
      startSandbox: async (spec) => {
        const answer = this.answers.get(spec.name);
        this.starts.push(spec.name);
        if (!answer) throw new HandlerError("unavailable", "no such program");
        const sandbox = new ScriptedSandbox(spec, answer);
        this.#sandboxes.push(sandbox);
        await sandbox.listen();
        return sandbox;
      },
      sandboxSpec: (binding) =>
        Promise.resolve({ name: binding.name, mounts: [], env: {}, secretEnv: {} } as unknown as SandboxSpec),
      resolveSecret: () => Promise.reject(new HandlerError("unavailable", "no secrets here")),
      resolveBinding: (name) => ({
        name,
        description: "",
        hash: this.bindingHash,
        connector: { name: `${name}-connector`, hash: "c1" },
        egress: this.egress.has(name) ? [{ host: "example.com", port: 443, namedLocal: false }] : [],
        env: {},
        secrets: {},
      } as unknown as ResolvedBinding),
      requiredTools: () => ["echo_text", "echo_file"],
      hostsSince: () => [],
      idleMs: () => this.idleMs,
      record: (record) => this.records.push(record),
      connectorChanged: () => {},
      telemetry: undefined,
      redact: (text) => text,
    };
  }
}

class ScriptedSandbox implements Sandbox {
  readonly name: string;
  readonly driver = "deno";
  readonly handle = "0";
  readonly #exit = deferred<SandboxExit>();
  readonly #folder: string;
  readonly #answer: Answer;
  readonly #connections = new Set<Connection>();
  #listener: Awaited<ReturnType<typeof listenUnix>> | undefined;
  ended = false;

  constructor(spec: SandboxSpec, answer: Answer) {
    this.name = spec.name;
    this.#folder = spec.mounts.find(({ target }) => target === "/run/handler")!.source;
    this.#answer = answer;
  }

  get exited(): Promise<SandboxExit> {
    return this.#exit.promise;
  }

  async listen(): Promise<void> {
    this.#listener = await listenUnix(`${this.#folder}/connector.sock`);
    void this.#accept();
  }

  async #accept(): Promise<void> {
    for await (const connection of this.#listener!) {
      this.#connections.add(connection);
      void this.#serve(connection).catch(() => {});
    }
  }

  async #serve(connection: Connection): Promise<void> {
    const cancels = new Map<unknown, () => void>();
    const send = async (text: string) => {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
    };
    const respond = (id: unknown, result: unknown) =>
      send(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\n");
    await readFrames(connection, 64 * 1024 * 1024, (frames) => {
      for (const message of frames.map(readMessage)) {
        const { id, method, params } = message;
        if (method === "initialize") {
          void respond(id, { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: {} });
        }
        if (method === "tools/list") void respond(id, { tools: ECHO_TOOLS });
        if (method === "notifications/cancelled") cancels.get(params.requestId)?.();
        if (method !== "tools/call") continue;
        const cancelled = new Promise<void>((resolve) => cancels.set(id, resolve));
        const token = (params._meta as { progressToken?: unknown } | undefined)?.progressToken;
        const call: ScriptedCall = {
          message,
          arguments: params.arguments as ScriptedCall["arguments"],
          files: `${this.#folder}/files`,
          cancelled,
          raw: send,
          progress: (progress, message) => {
            const update = {
              jsonrpc: "2.0",
              method: "notifications/progress",
              params: { progressToken: token, progress, ...message !== undefined && { message } },
            };
            return send(JSON.stringify(update) + "\n");
          },
          die: () => void this.#end({ code: 139, reason: "exited" }),
        };
        void Promise.resolve(this.#answer(call)).then((result) =>
          result === undefined ? undefined : respond(id, result)
        )
          .catch(() => {});
      }
    });
  }

  #end(exit: SandboxExit): Promise<SandboxExit> {
    this.ended = true;
    this.#listener?.close();
    for (const connection of this.#connections) {
      try {
        connection.close();
      } catch {
        // closed by the router
      }
    }
    this.#exit.resolve(exit);
    return this.#exit.promise;
  }

  cpuMs(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  stop(): Promise<SandboxExit> {
    return this.ended ? this.exited : this.#end({ code: 0, reason: "stopped" });
  }

  log(): string {
    return "";
  }
}

/** A caller's end of a socket, without any protocol of its own. */
export class RawClient implements Disposable {
  readonly connection: Connection;
  readonly #splitter = new FrameSplitter(64 * 1024 * 1024);
  readonly #frames: string[] = [];
  #nextId = 1;

  private constructor(connection: Connection) {
    this.connection = connection;
  }

  static async connect(path: string): Promise<RawClient> {
    return new RawClient(await connectUnix(path));
  }

  async send(text: string): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length;) at += await this.connection.write(bytes.subarray(at));
  }

  /** The next frame as text; undefined at the end of the stream. Empty lines are passed over. */
  async frame(): Promise<string | undefined> {
    while (this.#frames.length === 0) {
      const count = await this.connection.read(this.#splitter.space()).catch(() => null);
      if (count === null) return undefined;
      this.#frames.push(...this.#splitter.filled(count).map(utf8Text));
    }
    return this.#frames.shift();
  }

  // deno-lint-ignore no-explicit-any -- tests look into answers of many shapes
  async next(): Promise<any> {
    const text = await this.frame();
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** Sends a request and gives the next frame, which is its answer where nothing else is under way. */
  async ask(method: string, params: unknown = {}, id: string | number = this.#nextId++) {
    await this.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
    return await this.next();
  }

  /** Calls a tool and gives the result (or the JSON-RPC error). */
  async call(name: string, args: unknown, meta?: unknown) {
    const answer = await this.ask("tools/call", { name, arguments: args, ...(meta ? { _meta: meta } : {}) });
    return answer.result ?? answer.error;
  }

  [Symbol.dispose](): void {
    try {
      this.connection.close();
    } catch {
      // closed by the router
    }
  }
}

/** The error code of a tool error. */
export function codeOf(result: { isError?: boolean; content: { text: string }[] }): string {
  return result.isError ? JSON.parse(result.content[0]!.text).error : "";
}
