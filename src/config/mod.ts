/**
 * What a person writes: config, agents, projects, bindings, persons, from strict TOML files to frozen records; the set in force,
 * and edits that keep a person's comments.
 * @module
 */
export * from "./records.ts";
export { defaultMain, loadConfiguration } from "./load.ts";
export type { LoadOptions } from "./load.ts";
export { changeBetween, isNoChange } from "./change.ts";
export type { ConfigurationChange, NameChanges } from "./change.ts";
export { ConfigurationHolder } from "./holder.ts";
export type { ConfigurationListener, HolderParts, Provision, ReloadResult } from "./holder.ts";
export { ConfigurationEditor } from "./editor.ts";
export type { EditorParts, Saving, SelectionOwner } from "./editor.ts";
export { type Setting, SETTINGS, settingsIn } from "./settings.ts";
export type { Draft, Home, PersonFile } from "./shapes.ts";
export type { KindFolder, Overlay } from "./folder.ts";
