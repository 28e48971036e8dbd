// The same byte copy on Deno's own API instead of node:net and node:child_process.
//   relay-native.ts shim SOCK | hub SOCK CMD...
const [mode = "", path = "", program = "", ...words] = Deno.args;
type Source = { read(into: Uint8Array): Promise<number | null> };
type Sink = { write(bytes: Uint8Array): Promise<number> };

async function copy(from: Source, to: Sink) {
  const buffer = new Uint8Array(256 * 1024);
  for (let size; (size = await from.read(buffer)) !== null;) {
    for (let sent = 0; sent < size;) sent += await to.write(buffer.subarray(sent, size));
  }
}

if (mode === "shim") {
  const socket = await Deno.connect({ transport: "unix", path });
  await Promise.race([copy(Deno.stdin, socket), copy(socket, Deno.stdout)]);
  Deno.exit(0);
}
try {
  Deno.removeSync(path);
} catch { /* not there */ }
for await (const socket of Deno.listen({ transport: "unix", path })) {
  const child = new Deno.Command(program, {
    args: words,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = child.stdin.getWriter(), reader = child.stdout.getReader();
  copy(socket, {
    write: async (bytes) => {
      await writer.write(bytes.slice());
      return bytes.length;
    },
  }).catch(() => {}).finally(() => child.kill());
  (async () => {
    for (let chunk; !(chunk = await reader.read()).done;) {
      for (let sent = 0; sent < chunk.value.length;) sent += await socket.write(chunk.value.subarray(sent));
    }
  })().catch(() => {});
}
