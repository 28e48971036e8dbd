/**
 * The typed client of the daemon's local API.
 * @module
 */
export { connectClient } from "./connect.ts";
export type { Client } from "./client.ts";
export type * from "../api/mod.ts";
