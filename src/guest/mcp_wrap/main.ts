/**
 * A connector whose tools come from an existing MCP server, a command that speaks on stdin and stdout or a Streamable
 * HTTP address. It runs inside the connector's sandbox, listens there as every connector does, and takes from
 * HANDLER_WRAP, as JSON:
 *
 * ```
 * { "server": { "command": ["deno", "run", "server.ts"] },      or { "urlVariable": "X_URL" }
 *   "tools": { "ocr_extract": {                                 the interface's tool
 *     "tool": "read_document",                                  the server's
 *     "arguments": { "path": "file", "languages": "/options/langs" },
 *     "files": "base64",                                        or "data-url", "text"
 *     "result": { "pages": { "$each": "/pages", "text": "/markdown" } } } } }
 * ```
 *
 * `arguments` names, for each of the interface's arguments that the server is to get, the server's own; a name that
 * starts with `/` is a path into nested objects. What is not named is not handed on. `result` is a template, see
 * `template.ts`. A bearer token for an HTTP server is taken from MCP_BEARER_TOKEN, the `env` of a secret slot.
 *
 * A tool's error, a protocol error, a crash and a lost connection are `unavailable`; an error result whose text is
 * `{"error","message"}` is passed on as it is, so that a connector of Handler can run anywhere. What broke is started
 * or connected again at the next call.
 * @module
 */
import { type Handlers, required, serve, setting } from "../kit/mod.ts";
import { readWrap } from "./config.ts";
import { makeHandler } from "./handler.ts";
import { Upstream } from "./upstream.ts";

const env = Deno.env.toObject();
const { server, tools } = readWrap(required("HANDLER_WRAP"), env);
const upstream = new Upstream({
  server,
  token: setting("MCP_BEARER_TOKEN"),
  env,
  log: (line) => console.error(line),
});
const handlers: Handlers = Object.fromEntries(
  Object.entries(tools).map(([name, mapping]) => [name, makeHandler(mapping, upstream)]),
);
serve(handlers);
