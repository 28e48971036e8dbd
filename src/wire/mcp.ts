/** The MCP revisions that begin with `initialize`, oldest first. */
export const HANDSHAKE_VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;

/** The newest of {@linkcode HANDSHAKE_VERSIONS}, offered to a client that asks for one not known here. */
export const LATEST_HANDSHAKE = "2025-11-25";

/** The revisions without a handshake, where each request says its own version. */
export const STATELESS_VERSIONS = ["2026-07-28"] as const;

/** `_meta` names of the stateless revisions. */
export const META = {
  version: "io.modelcontextprotocol/protocolVersion",
  capabilities: "io.modelcontextprotocol/clientCapabilities",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscription: "io.modelcontextprotocol/subscriptionId",
} as const;

/** Error codes of JSON-RPC and MCP that are used here. */
export const CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  unsupportedVersion: -32022,
} as const;

/** Whether tool input errors are tool results in this revision (contract S.9) and not JSON-RPC errors. */
export function inputErrorsAreResults(version: string): boolean {
  return version >= "2025-11-25";
}
