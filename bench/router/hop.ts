/** The floor: a process that only copies bytes between two unix sockets: `hop.ts LISTEN CONNECT`. */
const [listen = "", connect = ""] = Deno.args;

async function copy(from: Deno.Conn, to: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(256 * 1024);
  for (let count = await from.read(buffer); count !== null; count = await from.read(buffer)) {
    for (let at = 0; at < count;) at += await to.write(buffer.subarray(at, count));
  }
  to.close();
}

if (import.meta.main) {
  const listener = Deno.listen({ transport: "unix", path: listen });
  console.log("ready");
  for await (const near of listener) {
    const far = await Deno.connect({ transport: "unix", path: connect });
    copy(near, far).catch(() => {});
    copy(far, near).catch(() => {});
  }
}
