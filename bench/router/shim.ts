/** The floor's agent side: copies bytes between stdio and a unix socket: `shim.ts CONNECT`. */
type Source = { read(into: Uint8Array): Promise<number | null> };
type Sink = { write(bytes: Uint8Array): Promise<number> };

async function copy(from: Source, to: Sink): Promise<void> {
  const buffer = new Uint8Array(256 * 1024);
  for (let count = await from.read(buffer); count !== null; count = await from.read(buffer)) {
    for (let at = 0; at < count;) at += await to.write(buffer.subarray(at, count));
  }
}

if (import.meta.main) {
  const socket = await Deno.connect({ transport: "unix", path: Deno.args[0] ?? "" });
  await Promise.race([copy(Deno.stdin, socket), copy(socket, Deno.stdout)]);
  Deno.exit(0);
}
