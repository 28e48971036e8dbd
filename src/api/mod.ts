/**
 * The local API: what the daemon does for its owner, over HTTP on a unix socket.
 * @module
 */
export { createApi } from "./app.ts";
export type { Api, ApiParts } from "./app.ts";
export { type ErrorBody, type WireError, wireError } from "./errors.ts";
export type { ApiEnvironment } from "./route.ts";
export type { Guard } from "./guard.ts";
export { apiForPage, serveApi } from "./serve.ts";
export { type AppApiParts, serveAppApi } from "./app_api.ts";
export * from "./ports.ts";
export * from "./app_ports.ts";
export * from "./thread_ports.ts";
export * from "./welcome_ports.ts";
export * from "./desk_ports.ts";
export { OPEN_PATH } from "./origin/open_page.ts";
export { type OriginParts, serveOrigins } from "./origin/serve.ts";
export type { AskApi } from "./origin/desk_api.ts";
export type { DeskParts } from "./origin/desk.ts";
export { DESK, OriginSessions, type Visitor } from "./origin/sessions.ts";
