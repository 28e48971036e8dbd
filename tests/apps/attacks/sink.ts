/** A port of this machine that nobody should reach: whatever arrives is a leak. */
export interface Sink extends AsyncDisposable {
  readonly port: number;
  /** What has arrived: the first line of each request, or that somebody connected. */
  readonly arrived: readonly string[];
}

/** Somebody connected and said nothing. */
export const CONNECTION = "a connection";

/** Opens a port that keeps what comes and answers as a server without rules. */
export function openSink(): Sink {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const arrived: string[] = [];
  const open = new Set<Deno.Conn>();
  const serve = async (connection: Deno.Conn) => {
    open.add(connection);
    const at = arrived.push(CONNECTION) - 1;
    const buffer = new Uint8Array(4096);
    try {
      const count = await connection.read(buffer) ?? 0;
      const first = new TextDecoder("latin1").decode(buffer.subarray(0, count)).split("\r\n", 1)[0]!;
      if (first !== "") arrived[at] = first.replaceAll(/[^\x20-\x7e]/g, ".").slice(0, 120);
      await connection.write(new TextEncoder().encode(ANSWER));
    } catch {
      // it went again
    }
    if (open.delete(connection)) connection.close();
  };
  const served = (async () => {
    for await (const connection of listener) void serve(connection);
  })();
  return {
    port: listener.addr.port,
    arrived,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of open) connection.close();
      open.clear();
      await served;
    },
  };
}

const ANSWER = "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Type: text/html\r\n" +
  "Content-Length: 2\r\nConnection: close\r\n\r\nhi";

/** The same for datagrams, at an address that peer connections use. */
export async function openUdpSink(): Promise<Sink & { readonly address: string }> {
  const { createSocket } = await import("node:dgram");
  const socket = createSocket("udp4");
  const arrived: string[] = [];
  socket.on("message", (message) => arrived.push(`${message.length} bytes by UDP`));
  await new Promise<void>((bound) => socket.bind(0, "0.0.0.0", bound));
  const { port } = socket.address();
  return {
    port,
    address: `${hostAddress()}:${port}`,
    arrived,
    [Symbol.asyncDispose]: () => new Promise((closed) => socket.close(() => closed())),
  };
}

/** An address of this machine that is not its loopback, where it has one. */
export function hostAddress(): string {
  const found = Deno.networkInterfaces().find(({ family, address }) =>
    family === "IPv4" && !address.startsWith("127.")
  );
  return found?.address ?? "127.0.0.1";
}
