/**
 * Streamable HTTP in front of one caller's socket, for tools that speak nothing else. Every message goes through as it
 * is: a session of HTTP is one connection to the socket, a POST is a line sent, its answer the line that has its id.
 * @module
 */

/** A front that listens. */
export interface HttpFront {
  readonly url: string;
  close(): Promise<void>;
}

interface Session {
  readonly connection: Deno.Conn;
  /** Who waits for the lines that belong to a request. */
  readonly waiting: Map<string, (line: string, last: boolean) => void>;
}

// deno-lint-ignore no-explicit-any -- messages of the wire, read loosely here
type Message = any;

/** Puts HTTP on a free loopback port in front of a socket. */
export function startHttpFront(socket: string): HttpFront {
  const sessions = new Map<string, Session>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    return isLocal(request)
      ? handle(request, socket, sessions)
      : new Response("not from here", { status: 403 });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    async close() {
      for (const { connection } of sessions.values()) connection.close();
      await server.shutdown();
    },
  };
}

/** A page that has its name rebound to this machine still sends its own name. */
function isLocal({ headers }: Request): boolean {
  const local = (host: string) => /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host);
  const origin = headers.get("origin");
  return local(headers.get("host") ?? "") && (origin === null || local(origin.replace(/^https?:\/\//, "")));
}

async function handle(request: Request, socket: string, sessions: Map<string, Session>): Promise<Response> {
  const id = request.headers.get("mcp-session-id");
  if (request.method === "GET") return new Response("no stream of its own", { status: 405 });
  if (request.method === "DELETE") return end(id, sessions);
  const text = (await request.text()).replace(/[\r\n]/g, " ");
  const message: Message = JSON.parse(text);
  if (id === null && message.method !== "initialize") return new Response("no session", { status: 400 });
  const name = id ?? crypto.randomUUID();
  if (id === null) sessions.set(name, await open(socket));
  const session = sessions.get(name);
  if (!session) return new Response("no such session", { status: 404 });
  if (message.id === undefined) {
    await send(session, text);
    return new Response(null, { status: 202 });
  }
  const token = message.params?._meta?.progressToken;
  const answer = token === undefined ? await whole(session, text, message) : streamed(session, text, message);
  answer.headers.set("mcp-session-id", name);
  return answer;
}

function end(id: string | null, sessions: Map<string, Session>): Response {
  sessions.get(id ?? "")?.connection.close();
  return new Response(null, { status: sessions.delete(id ?? "") ? 200 : 404 });
}

async function open(socket: string): Promise<Session> {
  const session: Session = {
    connection: await Deno.connect({ transport: "unix", path: socket }),
    waiting: new Map(),
  };
  void receive(session);
  return session;
}

/** Hands each line to the request that it belongs to: by its id, or by its progress token. */
async function receive({ connection, waiting }: Session): Promise<void> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(64 * 1024);
  let rest = "";
  try {
    for (let count; (count = await connection.read(buffer)) !== null;) {
      const lines = (rest + decoder.decode(buffer.subarray(0, count), { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines.filter(Boolean)) {
        const message: Message = JSON.parse(line);
        const key = message.method === undefined
          ? keyOf(message.id)
          : `token ${message.params?.progressToken}`;
        waiting.get(key)?.(line, message.method === undefined);
      }
    }
  } catch {
    // closed here
  }
}

function keyOf(id: unknown): string {
  return `id ${JSON.stringify(id)}`;
}

async function send({ connection }: Session, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text + "\n");
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

async function whole(session: Session, text: string, message: Message): Promise<Response> {
  const answer = Promise.withResolvers<string>();
  session.waiting.set(keyOf(message.id), answer.resolve);
  await send(session, text);
  const line = await answer.promise;
  session.waiting.delete(keyOf(message.id));
  return new Response(line, { headers: { "content-type": "application/json" } });
}

/** An event for each line: progress, then the answer. */
function streamed(session: Session, text: string, message: Message): Response {
  const token = `token ${message.params._meta.progressToken}`;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const take = (line: string, last: boolean) => {
        controller.enqueue(new TextEncoder().encode(`event: message\ndata: ${line}\n\n`));
        if (!last) return;
        session.waiting.delete(token);
        session.waiting.delete(keyOf(message.id));
        controller.close();
      };
      session.waiting.set(token, take);
      session.waiting.set(keyOf(message.id), take);
      return send(session, text);
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
