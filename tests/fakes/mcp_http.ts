/**
 * A document reader as an MCP server over Streamable HTTP, built with the current SDK, that can lose its sessions and
 * restart as servers do.
 * @module
 */
import { Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { read, seen } from "../connectors/fixtures/wrap-documents/behave.ts";

/** A running server. */
export interface FakeMcpHttp {
  readonly port: number;
  readonly url: string;
  /** Sessions opened so far. */
  readonly opened: () => number;
  readonly seen: typeof seen;
  /** Forgets every session; `status` is what a request with a forgotten one gets. */
  forget(status: 400 | 404): void;
  close(): Promise<void>;
}

/** Starts it on `port` (0 for a free one); with a `token`, only its bearer is let in. */
export function startFakeMcpHttp(options: { readonly port: number; readonly token: string }): FakeMcpHttp {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  let opened = 0, lost: 400 | 404 = 404;
  const server = Deno.serve({ hostname: "127.0.0.1", port: options.port, onListen() {} }, async (request) => {
    if (options.token && request.headers.get("authorization") !== `Bearer ${options.token}`) {
      return new Response(null, { status: 401 });
    }
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      return await sessions.get(id)?.handleRequest(request) ??
        new Response("no such session", { status: lost });
    }
    const transport = await open((session) => {
      opened++;
      sessions.set(session, transport);
    });
    return await transport.handleRequest(request);
  });
  return {
    port: server.addr.port,
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    opened: () => opened,
    seen,
    forget(status) {
      lost = status;
      for (const transport of sessions.values()) transport.close();
      sessions.clear();
    },
    async close() {
      for (const transport of sessions.values()) await transport.close();
      await server.shutdown();
    },
  };
}

async function open(ready: (session: string) => void): Promise<WebStandardStreamableHTTPServerTransport> {
  const server = new Server({ name: "documents", version: "3.1.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { file, options } = params.arguments as { file: string; options?: { langs?: string[] } };
    const answer = await read(file, options?.langs ?? [], {
      signal: context.mcpReq.signal,
      progress: (progress, total) => {
        const progressToken = params._meta?.progressToken;
        if (progressToken !== undefined) {
          context.mcpReq.notify({
            method: "notifications/progress",
            params: { progressToken, progress, total },
          });
        }
      },
    });
    if ("error" in answer) return { isError: true, content: [{ type: "text" as const, text: answer.error }] };
    return { content: [], structuredContent: answer };
  });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: ready,
  });
  await server.connect(transport);
  return transport;
}
