/**
 * Errors, ids, clock and logger ports, small asynchronous helpers. No I/O, imports nothing.
 * @module
 */
export * from "./error.ts";
export * from "./clock.ts";
export * from "./log.ts";
export * from "./id.ts";
export * from "./async.ts";
export * from "./bytes.ts";
export * from "./json.ts";
export * from "./lines.ts";
export * from "./nearest.ts";
export * from "./version.ts";
