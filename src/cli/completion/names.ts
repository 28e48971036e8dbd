import type { Client } from "../../client/mod.ts";
import type { Completes } from "../command.ts";
import { CLIENTS } from "../connect/clients.ts";

/** What has a name and can be asked for. */
export type Named = Exclude<Completes, readonly string[] | "file" | "folder">;

/** The names of one kind with a few words on each. */
export type Names = (kind: Named) => Promise<readonly (readonly [name: string, means: string])[]>;

/** The names that the daemon knows; none where it does not answer. */
export function daemonNames(daemon: Client): Names {
  return async (kind) => {
    try {
      return await READERS[kind](daemon);
    } catch {
      return [];
    }
  };
}

type Reader = (daemon: Client) => Promise<readonly (readonly [string, string])[]>;

const READERS: Readonly<Record<Named, Reader>> = {
  agent: async (daemon) => (await daemon.agents()).map((one) => [one.name, `${one.harness}, ${one.project}`]),
  app: async (daemon) => (await daemon.apps()).map((one) => [one.name, one.description]),
  "external-agent": async (daemon) =>
    (await daemon.agents()).filter(({ harness }) => harness === "external").map((
      one,
    ) => [one.name, one.project]),
  binding: async (daemon) => (await daemon.bindings()).map((one) => [one.name, one.connector]),
  client: () => Promise.resolve(CLIENTS.map(({ name, title }) => [name, title])),
  connector: async (daemon) => (await daemon.connectors()).map((one) => [one.name, one.description]),
  interface: async (daemon) => (await daemon.interfaces()).map((one) => [one.id, one.description]),
  "interface-name": async (daemon) => [
    ...new Map((await daemon.interfaces()).map((one) => [one.id.split("/")[0] ?? one.id, one.description])),
  ],
  person: async (daemon) => (await daemon.persons()).map((one) => [one.name, one.displayName]),
  project: async (daemon) => (await daemon.projects()).map((one) => [one.name, one.path]),
  secret: async (daemon) => (await daemon.secrets()).map((one) => [one.name, `kept in ${one.storedIn}`]),
  session: async (daemon) =>
    (await daemon.sessions(true)).map((one) => [one.id, `${one.agent}, ${one.state}`]),
  thread: async (daemon) =>
    (await daemon.threads({ limit: 100, offset: 0 })).map(({ id, agent, project, title }) =>
      [id, title ?? `${agent}, ${project}`] as const
    ),
  tool: async (daemon) =>
    (await daemon.interfaces()).flatMap(({ tools }) =>
      tools.map((tool) => [tool.name, tool.description] as const)
    ),
  trust: async (daemon) => [
    ...(await daemon.interfaces()).filter(({ origin }) => origin === "user").map((one) =>
      [one.id, one.state] as const
    ),
    ...(await daemon.connectors()).filter(({ origin }) => origin === "user").map((one) =>
      [one.name, "connector"] as const
    ),
  ],
};
