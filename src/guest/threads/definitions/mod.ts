/**
 * A project's definitions: finds the files of its `agents/` folder, imports them, fills in every default, and checks
 * all of them as a whole.
 * @module
 */
export * from "./loaded.ts";
export { loadDefinitions } from "./load.ts";
