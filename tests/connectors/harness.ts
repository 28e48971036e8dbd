/**
 * Runs a connector as its own Deno process with tight permissions and speaks MCP to it over its unix socket, as the
 * router does.
 * @module
 */
import { fromFileUrl } from "../../src/platform/mod.ts";

/** A file handed to a connector. */
export interface StagedFile {
  readonly $file: string;
  readonly size: number;
  readonly mediaType: string;
}

/** A tool's result, as far as the tests look at it. */
export interface CallResult {
  readonly isError?: boolean;
  readonly structuredContent?: { readonly [key: string]: unknown };
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly _meta?: { readonly [key: string]: unknown };
}

/** How one call is made. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (note: { readonly [key: string]: unknown }) => void;
  /** Whether the progress is to bring pieces of the answer. */
  readonly inPieces?: boolean;
}

/** A running connector. */
export interface RunningConnector {
  readonly pid: number;
  /** What it printed on stderr so far. */
  log(): string;
  stage(bytes: Uint8Array, mediaType: string): Promise<StagedFile>;
  list(): Promise<readonly string[]>;
  call(tool: string, input: unknown, options?: CallOptions): Promise<CallResult>;
  stop(): Promise<void>;
}

/** What starts a connector. */
export interface ConnectorOptions {
  /** The module to run, from the repository's root. */
  readonly entry: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** `host:port` texts for `--allow-net`; none for no network at all. */
  readonly net: readonly string[];
  /** More of Deno's permission flags. */
  readonly permissions?: readonly string[];
}

const ROOT = fromFileUrl(new URL("../..", import.meta.url));

/** Deno 2.6 counts a unix socket as a file alone and does not know this form. */
const SOCKETS_ARE_NET = !Deno.version.deno.startsWith("2.6.");

/** Starts a connector and waits until it answers `initialize`. */
export async function startConnector(options: ConnectorOptions): Promise<RunningConnector> {
  const folder = await Deno.makeTempDir({ prefix: "hc-" });
  for (const name of ["in", "out"]) await Deno.mkdir(`${folder}/files/${name}`, { recursive: true });
  const socket = `${folder}/c.sock`;
  const child = new Deno.Command(Deno.execPath(), {
    args: denoArguments(options, folder),
    env: {
      ...baseEnv(),
      ...options.env,
      HANDLER_CONNECTOR_SOCKET: socket,
      HANDLER_CONNECTOR_FILES: `${folder}/files`,
    },
    clearEnv: true,
    stdin: "null",
    stdout: "inherit",
    stderr: "piped",
  }).spawn();
  const log = collect(child.stderr);
  const client = await connect(socket, child, log);
  await client.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
  return {
    pid: child.pid,
    log: log.text,
    stage: (bytes, mediaType) => stage(`${folder}/files/in`, bytes, mediaType),
    list: async () =>
      (await client.request("tools/list", {}) as { tools: { name: string }[] }).tools.map((t) => t.name),
    call: (tool, input, how = {}) => call(client, tool, input, how),
    async stop() {
      client.close();
      child.kill("SIGTERM");
      await child.status;
      await log.done;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** The error of a failed call, as the agent gets it. */
export function errorOf(result: CallResult): { readonly error: string; readonly message: string } {
  if (!result.isError) throw new Error(`the call did not fail: ${JSON.stringify(result).slice(0, 200)}`);
  return JSON.parse(result.content[0]?.text ?? "");
}

/** Waits until `holds` does, at most ten seconds. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`waited ten seconds in vain for ${what}`);
}

function denoArguments({ entry, args, net, permissions }: ConnectorOptions, folder: string): string[] {
  return [
    "run",
    "--quiet",
    "--no-prompt",
    "--no-remote",
    "--cached-only",
    `--config=${ROOT}/deno.json`,
    `--allow-read=${folder}`,
    `--allow-write=${folder}`,
    "--allow-env",
    ...allowNet([...(SOCKETS_ARE_NET ? [`unix:${folder}/c.sock`] : []), ...net]),
    ...permissions ?? [],
    `${ROOT}/${entry}`,
    ...args ?? [],
  ];
}

function allowNet(hosts: readonly string[]): string[] {
  return hosts.length > 0 ? [`--allow-net=${hosts.join(",")}`] : [];
}

/** Deno needs its cache, and no colours in the log. */
function baseEnv(): Record<string, string> {
  const kept = ["HOME", "PATH", "DENO_DIR"].map((name) => [name, Deno.env.get(name)]);
  return { NO_COLOR: "1", ...Object.fromEntries(kept.filter(([, value]) => value)) };
}

function collect(stream: ReadableStream<Uint8Array>): { text: () => string; done: Promise<void> } {
  let text = "";
  const done = (async () => {
    for await (
      const part of stream.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    ) text += part;
  })();
  return { text: () => text, done };
}

let staged = 0;

async function stage(folder: string, bytes: Uint8Array, mediaType: string): Promise<StagedFile> {
  const $file = `f${++staged}`;
  await Deno.writeFile(`${folder}/${$file}`, bytes);
  return { $file, size: bytes.length, mediaType };
}

interface Client {
  request(method: string, params: unknown): Promise<unknown>;
  /** As `request`, with the id told so that it can be cancelled. */
  begin(method: string, params: Record<string, unknown>): { id: number; answer: Promise<unknown> };
  notify(method: string, params: unknown): void;
  readonly listeners: Map<unknown, (note: { [key: string]: unknown }) => void>;
  close(): void;
}

async function connect(
  socket: string,
  child: Deno.ChildProcess,
  log: { text: () => string },
): Promise<Client> {
  let ended = false;
  child.status.then(() => ended = true);
  for (let tries = 0; tries < 1000 && !ended; tries++) {
    try {
      return speak(await Deno.connect({ transport: "unix", path: socket }));
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  throw new Error(`the connector did not listen: ${log.text()}`);
}

function speak(connection: Deno.UnixConn): Client {
  const waiting = new Map<unknown, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  const listeners: Client["listeners"] = new Map();
  const writer = connection.writable.getWriter();
  const send = (message: unknown) =>
    void writer.write(new TextEncoder().encode(JSON.stringify(message) + "\n"));
  let last = 0;
  const take = (
    message: {
      id?: unknown;
      method?: string;
      params?: Record<string, unknown>;
      result?: unknown;
      error?: { message: string };
    },
  ) => {
    if (message.method === "notifications/progress") {
      return listeners.get(message.params?.["progressToken"])?.(message.params ?? {});
    }
    const waiter = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) waiter?.reject(new Error(message.error.message));
    else waiter?.resolve(message.result);
  };
  readLines(connection, take).finally(() =>
    waiting.forEach((waiter) => waiter.reject(new Error("connection closed")))
  );
  const begin: Client["begin"] = (method, params) => {
    const id = ++last;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    waiting.set(id, { resolve, reject });
    send({ jsonrpc: "2.0", id, method, params });
    return { id, answer: promise };
  };
  return {
    begin,
    listeners,
    request: (method, params) => begin(method, params as Record<string, unknown>).answer,
    notify: (method, params) => send({ jsonrpc: "2.0", method, params }),
    close: () => connection.close(),
  };
}

// deno-lint-ignore no-explicit-any -- messages of the wire, read loosely here
async function readLines(connection: Deno.UnixConn, take: (message: any) => void): Promise<void> {
  let rest = "";
  try {
    for await (const part of connection.readable.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + part).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) take(JSON.parse(line));
    }
  } catch {
    // the test or the connector closed it
  }
}

async function call(client: Client, tool: string, input: unknown, how: CallOptions): Promise<CallResult> {
  const token = `t${staged++}-${tool}`;
  const pieces = how.inPieces ? { "handler/pieces": true } : {};
  const meta = how.onProgress ? { _meta: { progressToken: token, ...pieces } } : {};
  if (how.onProgress) client.listeners.set(token, how.onProgress);
  const { id, answer } = client.begin("tools/call", { name: tool, arguments: input, ...meta });
  const cancelled = new Promise<never>((_, reject) => {
    how.signal?.addEventListener("abort", () => {
      client.notify("notifications/cancelled", { requestId: id });
      reject(how.signal?.reason);
    });
  });
  return await Promise.race([answer, cancelled]) as CallResult;
}
