/**
 * Agents: sessions of harnesses in sandboxes, and the agents that are run from outside (contract B).
 * @module
 */
export { createAgents } from "./agents.ts";
export type { Agents, ExternalServices } from "./agents.ts";
export type { AgentsOptions, RunOptions } from "./start.ts";
export type { Session } from "./session.ts";
export type { LogPiece } from "./session_log.ts";
export { LOG_LIMITS } from "./session_log.ts";
export type {
  AgentService,
  GuestPort,
  OpenServices,
  SandboxPort,
  ServiceCaller,
  ServiceNeeds,
  ServicesPort,
} from "./ports.ts";
export type { Harness, RenderContext, Rendered } from "./harness.ts";
export { agentEnv } from "./agent_spec.ts";
export { AGENT_INSIDE } from "./inside.ts";
export { createGuestBin, GUEST_COMMANDS } from "./guest_bin.ts";
export type { GuestBinOptions } from "./guest_bin.ts";
export { workFolder } from "./work_folder.ts";
export { missingRequirements, selectionOf } from "./selection.ts";
