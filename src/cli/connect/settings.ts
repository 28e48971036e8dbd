import type { McpClient, ServerEntry } from "./client.ts";
import { membersOf, removeMember, setMember } from "./jsonc_edit.ts";
import { removeTomlServer, setTomlServer, tomlServers } from "./toml_settings.ts";

/** A client's settings as a text that servers are put into and taken out of. */
export interface Settings {
  servers(text: string): Readonly<Record<string, unknown>>;
  set(text: string, name: string, entry: ServerEntry): string;
  remove(text: string, name: string): string;
}

/**
 * How the settings of a client in a file are edited. What is not the server named stays letter by letter. Every function
 * throws `invalid` with file and line for a text that cannot be read.
 */
export function settingsOf({ format, root }: McpClient, file: string): Settings {
  if (format === "toml") {
    return {
      servers: (text) => tomlServers(text, file, root),
      set: (text, name, entry) => setTomlServer(text, file, root, name, entry),
      remove: (text, name) => removeTomlServer(text, file, root, name),
    };
  }
  return {
    servers: (text) => membersOf(text, file, root),
    set: (text, name, entry) => setMember(text, file, root, name, entry),
    remove: (text, name) => removeMember(text, file, root, name),
  };
}
