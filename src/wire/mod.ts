/**
 * Newline-framed JSON-RPC and MCP: pure codecs that know no file and no socket.
 * @module
 */
export * from "./frames.ts";
export * from "./scan.ts";
export * from "./message.ts";
export * from "./mcp.ts";
export * from "./stream.ts";
export * from "./json_lines.ts";
export * from "./thread_host.ts";
