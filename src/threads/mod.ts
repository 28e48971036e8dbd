/**
 * Threads: conversations of a project's agents, their turns, and what runs them (contract T).
 * @module
 */
export * from "./facade.ts";
export { createThreadHosts, SPIN_CPU_MS, type ThreadHostsPorts } from "./hosts/mod.ts";
export * from "./ports.ts";
export { type ProjectTypes, projectTypes, type ProjectTypesInput } from "./project_types.ts";
export * from "./threads.ts";
export { STARTER_AGENT, writeStarter } from "./starter.ts";
