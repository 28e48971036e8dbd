/**
 * The ThreadState of a run: properties are what the daemon told, methods ask it.
 * @module
 */
export { makeState } from "./make.ts";
export type { Place } from "./place.ts";
