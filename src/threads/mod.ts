/**
 * Threads: conversations of a project's agents, their turns, and what runs them (contract T).
 * @module
 */
export * from "./facade.ts";
export * from "./ports.ts";
export * from "./threads.ts";
