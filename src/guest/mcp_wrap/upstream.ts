import { Client, SdkHttpError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { HANDLER_VERSION, singleFlight } from "../../base/mod.ts";
import type { Call } from "../kit/mod.ts";
import type { WrappedServer } from "./config.ts";

/** A tool's result, as far as it is read. */
export interface UpstreamResult {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content: readonly unknown[];
}

/** What an {@linkcode Upstream} is made of. */
export interface UpstreamOptions {
  readonly server: WrappedServer;
  /** A bearer token for an HTTP server. */
  readonly token: string | undefined;
  /** The variables that a command gets, Handler's own left out. */
  readonly env: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}

/** How long a server may take to answer `initialize`. */
const CONNECT_MS = 30_000;
/** The router ends calls that take too long; the client's own limit must not come before. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** The wrapped server: connected at the first call, and again at the next one when it was lost. */
export class Upstream {
  readonly #options: UpstreamOptions;
  #client: Client | undefined;
  readonly #connect = singleFlight(() => this.#open());

  constructor(options: UpstreamOptions) {
    this.#options = options;
  }

  /** Calls a tool; a cancel and progress go through. Rejects where there is no result of the tool. */
  async call(
    name: string,
    args: Record<string, unknown>,
    call: Pick<Call, "signal" | "progress">,
  ): Promise<UpstreamResult> {
    const client = this.#client ?? await this.#connect();
    try {
      return await send(client, name, args, call);
    } catch (error) {
      if (!sessionIsOver(error)) throw error;
      // the server refused the request for its session, so nothing was done and it can be sent again
      this.#forget(client);
      return await send(await this.#connect(), name, args, call);
    }
  }

  async #open(): Promise<Client> {
    const client = new Client({ name: "handler", version: HANDLER_VERSION });
    client.onclose = () => this.#forget(client);
    client.onerror = (error) => this.#options.log(`the wrapped server: ${error.name}`);
    await client.connect(this.#transport(), { timeout: CONNECT_MS });
    this.#client = client;
    return client;
  }

  #transport(): StdioClientTransport | StreamableHTTPClientTransport {
    const { server, token, env } = this.#options;
    if ("url" in server) {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } });
    }
    const [command, ...args] = server.command;
    const own = Object.entries(env).filter(([variable]) => !variable.startsWith("HANDLER_"));
    return new StdioClientTransport({ command, args, env: Object.fromEntries(own), stderr: "inherit" });
  }

  #forget(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    client.close().catch(() => {});
  }
}

async function send(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  { signal, progress }: Pick<Call, "signal" | "progress">,
): Promise<UpstreamResult> {
  return await client.callTool({ name, arguments: args }, {
    signal,
    timeout: NO_LIMIT_MS,
    onprogress: (note) => progress(note.progress, note.total, note.message),
  });
}

/** 404 by the protocol; servers built on its example answer 400. */
function sessionIsOver(error: unknown): boolean {
  return error instanceof SdkHttpError && (error.status === 404 || error.status === 400);
}
