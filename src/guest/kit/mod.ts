/**
 * The connector kit, `@handler/connector`: one call, {@linkcode serve}, makes a Deno program a connector. What travels
 * on the socket is MCP; a connector's author sees functions, files and errors.
 *
 * @example
 * ```ts
 * import { serve } from "@handler/connector";
 *
 * serve({
 *   ocr_extract: async (input, { signal, fail, units }) => {
 *     const bytes = await input.path.bytes();
 *     …
 *     return { pages };
 *   },
 * });
 * ```
 * @module
 */
export type { Json, JsonObject } from "../../base/mod.ts";
export { serve } from "./serve.ts";
export { type ConnectorServer, listen, type ListenOptions } from "./listen.ts";
export type { AnyTools, Call, Handlers, InputValue, ToolTypes } from "./types.ts";
export type { HandlerFile, HandlerOutput } from "./files.ts";
export { ConnectorFailure, fail } from "./failure.ts";
export { numberSetting, required, setting } from "./settings.ts";
export { type ServerEvent, serverEvents } from "./events.ts";
export { sniff } from "./sniff.ts";
