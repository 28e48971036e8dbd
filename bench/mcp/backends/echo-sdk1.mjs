// stdio backend on @modelcontextprotocol/sdk 1.x
import process from "node:process";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { call, tools } from "./tools.mjs";

const server = new Server({ name: "echo", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
server.setRequestHandler(
  CallToolRequestSchema,
  (request, extra) => call(request.params.name, request.params.arguments ?? {}, extra.signal),
);
await server.connect(new StdioServerTransport());
process.stdin.on("end", () => process.exit(0));
