/**
 * What works on this machine and how to make the rest work: checks that the daemon runs for the desk, and the command line
 * where no daemon runs.
 * @module
 */
export type { Finding, Named } from "./check.ts";
export { checkAlone } from "./alone.ts";
export { installCommand, installerHere } from "./distribution.ts";
export type { Installer } from "./distribution.ts";
export { checkMachine } from "./machine.ts";
export type { MachineParts } from "./machine.ts";
