/**
 * The app kit: what a mini app's backend imports. Authors read {@linkcode file://./handler_app.d.ts}, which says the same
 * as this module exports; a test holds the two together.
 * @module
 */
export { serve } from "./serve.ts";
export { openApp } from "./open_app.ts";
export { Refusal } from "./refusal.ts";
export { events } from "./events.ts";
export { HandlerRefused, notify } from "./notify.ts";
export { callService, ServiceError } from "./service.ts";
export { dataFolder } from "./environment.ts";
export type {
  App,
  Call,
  Database,
  Notice,
  OpenApp,
  Route,
  Row,
  SendEvent,
  SqlValue,
  TestCall,
} from "./handler_app.d.ts";
