/**
 * `@standardagents/spec`: what a project's `agents/` folder is written with. Handler's own module of that name.
 * @module
 */
export * from "./names.ts";
export * from "./messages.ts";
export * from "./files.ts";
export * from "./state.ts";
export * from "./tool.ts";
export * from "./hook.ts";
export * from "./handler.ts";
export * from "./effect.ts";
export * from "./model.ts";
export * from "./prompt.ts";
export * from "./agent.ts";
export * from "./define.ts";
export * from "./issue.ts";
export * from "./validate.ts";
