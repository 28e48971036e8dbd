/**
 * The composition root: builds everything from one record, starts and stops it in order, and is what `handlerd` runs.
 * @module
 */
export { type Daemon, type DaemonOptions, startDaemon } from "./daemon.ts";
export { runDaemon } from "./run.ts";
export type { Overrides } from "./assemble.ts";
