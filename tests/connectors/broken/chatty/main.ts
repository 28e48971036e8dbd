/** Speaks the wire by hand, since the kit keeps its author from this mistake. */
const listener = Deno.listen({ transport: "unix", path: Deno.env.get("HANDLER_CONNECTOR_SOCKET")! });

for await (const connection of listener) void attend(connection);

async function attend(connection: Deno.Conn): Promise<void> {
  const send = async (text: string) => void await connection.write(new TextEncoder().encode(text));
  let pending = "";
  const decoder = new TextDecoder();
  for await (const chunk of connection.readable) {
    pending += decoder.decode(chunk, { stream: true });
    const lines = pending.split("\n");
    pending = lines.pop()!;
    for (const line of lines) await answer(JSON.parse(line), send);
  }
}

function initialized(id: unknown): string {
  const serverInfo = { name: "broken", version: "1" };
  const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
  return JSON.stringify({ jsonrpc: "2.0", id, result }) + "\n";
}

function listed(id: unknown): string {
  const tools = ["words_count", "words_list"].map((name) => ({ name, inputSchema: { type: "object" } }));
  return JSON.stringify({ jsonrpc: "2.0", id, result: { tools } }) + "\n";
}

async function answer(
  request: { id?: unknown; method: string },
  send: (text: string) => Promise<void>,
): Promise<void> {
  const { id, method } = request;
  console.log(`Listening on port 3000… (${method})`);
  if (method === "initialize") return await send(initialized(id));
  if (method === "tools/list") return await send(listed(id));
  if (method !== "tools/call") return;
  await send("Listening on port 3000…\n");
  const structuredContent = { words: ["one", "two", "three"] };
  await send(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [], structuredContent } }) + "\n");
}
