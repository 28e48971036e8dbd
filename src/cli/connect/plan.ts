import { HandlerError, isObject } from "../../base/mod.ts";
import type { Launch, McpClient, ServerEntry } from "./client.ts";
import { settingsOf } from "./settings.ts";

/** Servers of one agent as a client should name them. */
export interface Wanted {
  readonly agent: string;
  /** Interface name to how it is started; empty to take all of the agent's away. */
  readonly launches: Readonly<Record<string, Launch>>;
}

/** What an edit of a client's settings would do. */
export interface Plan {
  readonly after: string;
  /** Names of servers, by what happens to them. */
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** The name of an interface's server in a client's settings. */
export function serverName(interfaceName: string): string {
  return `handler-${interfaceName}`;
}

/** The entries that a client would get. */
export function entriesOf(client: McpClient, wanted: Wanted): Readonly<Record<string, ServerEntry>> {
  const pairs = Object.entries(wanted.launches).map((
    [name, launch],
  ) => [serverName(name), client.entry(launch)]);
  return Object.fromEntries(pairs);
}

/**
 * Edits a client's settings so that they name the wanted servers and no other of this agent's. Doing it again changes
 * nothing.
 * @throws {HandlerError} `invalid` for a text that cannot be read, `conflict` where a server of that name is not ours
 */
export function plan(client: McpClient, file: string, before: string, wanted: Wanted): Plan {
  const settings = settingsOf(client, file);
  const servers = settings.servers(before);
  const entries = entriesOf(client, wanted);
  for (const name of Object.keys(entries)) refuseForeign(servers[name], name, file);
  const added = Object.keys(entries).filter((name) => !Object.hasOwn(servers, name));
  const changed = Object.keys(entries).filter((name) =>
    Object.hasOwn(servers, name) && shown(servers[name]) !== shown(entries[name])
  );
  const removed = Object.keys(servers).filter((name) =>
    !Object.hasOwn(entries, name) && agentOf(servers[name]) === wanted.agent
  );
  let after = before;
  for (const name of [...added, ...changed]) after = settings.set(after, name, entries[name] ?? {});
  for (const name of removed) after = settings.remove(after, name);
  return { after, added, changed, removed };
}

function refuseForeign(server: unknown, name: string, file: string): void {
  if (server === undefined || agentOf(server) !== undefined) return;
  throw new HandlerError("conflict", `${file} has a server ${name} already that Handler did not make`, {
    hint: "rename it or take it away, then do this again",
  });
}

/** The agent that a server of ours is for; undefined for a server of somebody else's. */
export function agentOf(server: unknown): string | undefined {
  if (!isObject(server)) return undefined;
  const words = [server.command, server.args].flat().filter((word) => typeof word === "string");
  const isService = words.some((word) => word.split("/").pop() === "handler-service");
  const at = words.indexOf("--agent");
  return isService && at !== -1 ? words[at + 1] : undefined;
}

function shown(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "bigint") return Number(part);
    return isObject(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  });
}
