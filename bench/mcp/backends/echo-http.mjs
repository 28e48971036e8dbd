// Streamable HTTP backend on @modelcontextprotocol/sdk 1.x, one session per initialize: echo-http.mjs PORT
import process from "node:process";
import { createServer } from "node:http";
import { randomUUID } from "node:crypto";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { call, tools } from "./tools.mjs";

const sessions = new Map();
async function open() {
  const server = new Server({ name: "echo", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(
    CallToolRequestSchema,
    (request, extra) => call(request.params.name, request.params.arguments ?? {}, extra.signal),
  );
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: process.env.BACKEND_SSE !== "1",
    onsessioninitialized: (id) => sessions.set(id, transport),
    onsessionclosed: (id) => sessions.delete(id),
  });
  await server.connect(transport);
  return transport;
}
const http = createServer(async (request, response) => {
  try {
    const id = request.headers["mcp-session-id"];
    const transport = id ? sessions.get(id) : await open();
    if (!transport) return response.writeHead(404).end();
    if (request.method !== "POST") return void await transport.handleRequest(request, response);
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    await transport.handleRequest(request, response, JSON.parse(Buffer.concat(chunks).toString()));
  } catch (error) {
    if (!response.headersSent) response.writeHead(500).end(String(error));
  }
});
http.keepAliveTimeout = 0; // an idle connection of the caller or the peer is never cut under it
http.listen(Number(process.argv[2]), "127.0.0.1");
