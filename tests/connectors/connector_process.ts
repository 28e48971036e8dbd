import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A connector's result as the router gets it. */
export interface CallResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** One message from a connector. */
export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A small MCP client over a unix socket; it keeps all that it received. */
export class Client implements Disposable {
  readonly received: Message[] = [];
  readonly #connection: Deno.Conn;
  readonly #waiting = new Map<string | number, (message: Message) => void>();
  readonly #ended: Promise<void>;
  #lastId = 0;

  private constructor(connection: Deno.Conn) {
    this.#connection = connection;
    this.#ended = this.#listen();
  }

  static async connect(path: string): Promise<Client> {
    return new Client(await Deno.connect({ transport: "unix", path }));
  }

  /** Settles when the other side has closed. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  async send(message: object): Promise<void> {
    await this.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  }

  async write(text: string | Uint8Array): Promise<void> {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    for (let at = 0; at < bytes.length;) at += await this.#connection.write(bytes.subarray(at));
  }

  /** Asks and waits for the answer, whatever it is. */
  async request(method: string, params: object = {}, id: string | number = ++this.#lastId): Promise<Message> {
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    await this.send({ id, method, params });
    return await answer;
  }

  /** Calls a tool and gives its result. */
  async call(name: string, input: object, meta?: object, id?: string | number): Promise<CallResult> {
    const params = { name, arguments: input, ...(meta ? { _meta: meta } : {}) };
    const { result, error } = await this.request("tools/call", params, id);
    if (error) throw new Error(`${error.code} ${error.message}`);
    return result as CallResult;
  }

  [Symbol.dispose](): void {
    try {
      this.#connection.close();
    } catch {
      // closed by its stream
    }
  }

  async #listen(): Promise<void> {
    let rest = "";
    try {
      for await (const text of this.#connection.readable.pipeThrough(new TextDecoderStream())) {
        const frames = (rest + text).split("\n");
        rest = frames.pop() ?? "";
        for (const frame of frames) this.#take(JSON.parse(frame));
      }
    } catch {
      // closed here
    }
  }

  #take(message: Message): void {
    this.received.push(message);
    if (message.id === undefined || message.id === null || message.method !== undefined) return;
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }
}

/** A built connector that runs as its sandbox would start it, with a folder for its socket and files. */
export class ConnectorProcess implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #stderr: Promise<string>;
  readonly folder: string;
  #lastFile = 0;

  private constructor(child: Deno.ChildProcess, folder: string) {
    this.#child = child;
    this.#stderr = new Response(child.stderr).text();
    this.folder = folder;
  }

  /** Starts `build/connectors/<name>/main.js` under the Deno of HANDLER_DENO or this one. */
  static async start(name: string, env: Readonly<Record<string, string>> = {}): Promise<ConnectorProcess> {
    const folder = await Deno.makeTempDir({ prefix: "handler-connector-" });
    await Deno.mkdir(join(folder, "files/in"), { recursive: true });
    await Deno.mkdir(join(folder, "files/out"));
    await Deno.mkdir(join(folder, "deno"));
    const code = fileURLToPath(new URL(`../../build/connectors/${name}`, import.meta.url));
    const run = join(folder, "connector.sock");
    const own = { HANDLER_CONNECTOR_SOCKET: run, HANDLER_CONNECTOR_FILES: join(folder, "files"), ...env };
    const deno = Deno.env.get("HANDLER_DENO") ?? Deno.execPath();
    const child = new Deno.Command(deno, {
      args: [
        "run",
        "--no-prompt",
        "--no-remote",
        "--cached-only",
        "--no-config",
        "--no-lock",
        `--allow-read=${code},${folder}`,
        `--allow-write=${folder}`,
        ...await socketPermission(deno, run),
        "--allow-env",
        join(code, "main.js"),
      ],
      clearEnv: true,
      env: { ...own, DENO_DIR: join(folder, "deno"), HOME: folder, NO_COLOR: "1" },
      stdout: "null",
      stderr: "piped",
    }).spawn();
    return new ConnectorProcess(child, folder);
  }

  /** Connects as soon as it listens. */
  async connect(): Promise<Client> {
    for (let tries = 0;; tries++) {
      try {
        return await Client.connect(join(this.folder, "connector.sock"));
      } catch (error) {
        if (tries > 1000) {
          throw new Error(`the connector does not listen: ${await this.stop()}`, { cause: error });
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  }

  /** Stages bytes as an input file; gives its wire form. */
  async stage(bytes: Uint8Array, mediaType = "application/octet-stream"): Promise<object> {
    const id = `f${++this.#lastFile}`;
    await Deno.writeFile(join(this.folder, "files/in", id), bytes);
    return { $file: id, size: bytes.length, mediaType };
  }

  /** The memory it has in bytes, now and at most. */
  async memory(): Promise<{ readonly now: number; readonly peak: number }> {
    const status = await Deno.readTextFile(`/proc/${this.#child.pid}/status`);
    const field = (name: string) => Number(status.match(new RegExp(`${name}:\\s*(\\d+) kB`))?.[1]) * 1024;
    return { now: field("VmRSS"), peak: field("VmHWM") };
  }

  /** Processor time used so far, in seconds. */
  async processorSeconds(): Promise<number> {
    const stat = await Deno.readTextFile(`/proc/${this.#child.pid}/stat`);
    const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 13).map(Number);
    return (user + system) / 100;
  }

  /** Ends it and gives what it said on stderr. */
  async stop(): Promise<string> {
    try {
      this.#child.kill("SIGTERM");
    } catch {
      // it has ended
    }
    await this.#child.status;
    return await this.#stderr;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** From 2.7 on Deno wants to be told of a unix socket by its path; before, reading and writing there was enough. */
async function socketPermission(deno: string, path: string): Promise<readonly string[]> {
  const { stdout } = await new Deno.Command(deno, { args: ["--version"] }).output();
  const [, major = 0, minor = 0] = (new TextDecoder().decode(stdout).match(/^deno (\d+)\.(\d+)/) ?? []).map(
    Number,
  );
  return major > 2 || minor >= 7 ? [`--allow-net=unix:${path}`] : [];
}
