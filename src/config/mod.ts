/**
 * What a person writes: config, agents, projects, bindings, from strict TOML files to frozen records.
 * @module
 */
export * from "./records.ts";
export { defaultMain, loadConfiguration } from "./load.ts";
export type { LoadOptions } from "./load.ts";
export type { Draft, Home } from "./shapes.ts";
export type { KindFolder, Overlay } from "./folder.ts";
