/** One destination: what is listened on inside, and the socket that leads to it. */
interface Listen {
  readonly listen: string;
  readonly port: number;
  readonly socket: string;
}

/** Opens what `HANDLER_EGRESS` and `HANDLER_EGRESS_PROXY` describe. The listeners do not keep the program running. */
export function openListeners(): void {
  const listens: Listen[] = JSON.parse(Deno.env.get("HANDLER_EGRESS") ?? "[]");
  const proxy = Deno.env.get("HANDLER_EGRESS_PROXY");
  for (const listen of listens) serve(listen.listen, listen.port, listen.socket);
  if (proxy) {
    const { listen, socket }: { listen: string; socket: string } = JSON.parse(proxy);
    const [address, port] = listen.split(":");
    serve(address!, Number(port), socket);
  }
}

function serve(hostname: string, port: number, socket: string): void {
  const listener = Deno.listen({ hostname, port });
  listener.unref();
  void (async () => {
    for await (const near of listener) void join(near, socket);
  })();
}

/** Neither side keeps the program running: a connection that is kept for later use may stay open at its end. */
async function join(near: Deno.TcpConn, socket: string): Promise<void> {
  try {
    near.unref();
    const far = await Deno.connect({ transport: "unix", path: socket });
    far.unref();
    await Promise.all([copy(near, far), copy(far, near)]);
    close(far);
  } catch {
    // handlerd is restarting or refuses: the program sees its connection end
  }
  close(near);
}

/** Copies one direction and ends it for the other side, so that each direction ends for itself. */
async function copy(from: Deno.Conn, to: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  try {
    for (;;) {
      const count = await from.read(buffer);
      if (count === null) break;
      for (let at = 0; at < count;) at += await to.write(buffer.subarray(at, count));
    }
    await to.closeWrite();
  } catch {
    close(from);
    close(to);
  }
}

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // closed already
  }
}
