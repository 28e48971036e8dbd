/**
 * An HTTP proxy that knows CONNECT alone and sends each named host to a port of this machine: for a program outside a
 * sandbox that believes it speaks to a vendor.
 * @module
 */

/** A running proxy; `url` is what HTTPS_PROXY takes. */
export interface ConnectProxy {
  readonly url: string;
  readonly port: number;
  /** Every `host:port` that was asked for. */
  readonly asked: readonly string[];
  close(): void;
}

/** Starts a proxy on a free port; `routes` maps `host:port` to a loopback port, all else is refused. */
export function startConnectProxy(routes: ReadonlyMap<string, number>): ConnectProxy {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const asked: string[] = [];
  (async () => {
    for await (const client of listener) attend(client, routes, asked).catch(() => client.close());
  })();
  const { port } = listener.addr;
  return { url: `http://127.0.0.1:${port}`, port, asked, close: () => listener.close() };
}

async function attend(
  client: Deno.TcpConn,
  routes: ReadonlyMap<string, number>,
  asked: string[],
): Promise<void> {
  const target = /^CONNECT (\S+) HTTP\/1\.1\r\n/.exec(await readHead(client))?.[1] ?? "";
  asked.push(target);
  const port = routes.get(target);
  if (port === undefined) {
    await client.write(new TextEncoder().encode("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n"));
    return client.close();
  }
  const server = await Deno.connect({ hostname: "127.0.0.1", port });
  await client.write(new TextEncoder().encode("HTTP/1.1 200 Connection established\r\n\r\n"));
  await Promise.allSettled([
    client.readable.pipeTo(server.writable),
    server.readable.pipeTo(client.writable),
  ]);
}

/** Byte by byte, so that nothing behind the head is taken away. */
async function readHead(client: Deno.TcpConn): Promise<string> {
  const byte = new Uint8Array(1);
  let head = "";
  while (!head.endsWith("\r\n\r\n") && head.length < 8192) {
    if (await client.read(byte) === null) break;
    head += String.fromCharCode(byte[0] ?? 0);
  }
  return head;
}
