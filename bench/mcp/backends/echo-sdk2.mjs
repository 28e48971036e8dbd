// stdio backend on @modelcontextprotocol/server 2.x
import process from "node:process";
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { call, tools } from "./tools.mjs";

serveStdio(() => {
  const server = new Server({ name: "echo", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools }));
  server.setRequestHandler(
    "tools/call",
    (request, ctx) => call(request.params.name, request.params.arguments ?? {}, ctx.mcpReq.signal),
  );
  return server;
});
process.stdin.on("end", () => process.exit(0));
