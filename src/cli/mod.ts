/**
 * The command line `handler`: one file a command; it talks to the daemon through the client.
 * @module
 */
export { failedService, hostService } from "./host_service.ts";
export type { HostService } from "./host_service.ts";
export { runCli } from "./run.ts";
