import type { Operations, Removed } from "../api/mod.ts";
import { appClient, peopleClient } from "./apps.ts";
import { deskClient, parameters } from "./desk.ts";
import { part, post } from "./paths.ts";
import { threadClient } from "./threads.ts";
import { welcomeClient } from "./welcome.ts";
import { chunksOf, type Sender, Transport } from "./transport.ts";

/** The daemon's operations, done from afar. */
export type Client = Operations & Disposable;

/** A client whose requests go over `sender`. Every function rejects with the `HandlerError` that the daemon threw. */
export function clientOver(sender: Sender): Client {
  const transport = new Transport(sender);
  return {
    ...daemonClient(transport),
    ...catalogClient(transport),
    ...configurationClient(transport),
    ...safetyClient(transport),
    ...workClient(transport),
    ...appClient(transport),
    ...peopleClient(transport),
    ...threadClient(transport),
    ...welcomeClient(transport),
    ...deskClient(transport),
    [Symbol.dispose]: () => transport[Symbol.dispose](),
  };
}

function daemonClient(transport: Transport) {
  return {
    status: () => transport.ask("status"),
    reload: () => transport.ask("reload", { method: "POST" }),
    doctor: () => transport.ask("doctor"),
    shutDown: async () => void await transport.ask("shutdown", { method: "POST" }),
    image: () => transport.ask("image"),
    imageBuild: () => transport.ask("image/build", { method: "POST" }),
    imagePull: () => transport.ask("image/pull", { method: "POST" }),
  } satisfies Partial<Operations>;
}

function catalogClient(transport: Transport) {
  return {
    interfaces: () => transport.ask("interfaces"),
    interfaceCheck: (target) => transport.ask("interfaces/check", post({ target })),
    interfacePublish: (id) => transport.ask("interfaces/publish", post({ id })),
    interfaceStub: (id, name) => transport.ask("interfaces/stub", post({ id, name })),
    connectors: () => transport.ask("connectors"),
    connectorCheck: (name, binding, onCase) =>
      transport.follow(`connectors/${part(name)}/check`, binding === null ? {} : { binding }, onCase),
    connectorCompare: (tool, input, scope, bindings) =>
      transport.ask("connectors/compare", post({ tool, input, scope, bindings })),
    connectorLog: async (binding) =>
      (await transport.ask<{ log: string }>(`bindings/${part(binding)}/log`)).log,
    connectorRestart: (binding) => transport.ask(`bindings/${part(binding)}/restart`, { method: "POST" }),
  } satisfies Partial<Operations>;
}

function configurationClient(transport: Transport) {
  const remove = (path: string, name: string) =>
    transport.ask<Removed>(`${path}/${part(name)}`, { method: "DELETE" });
  return {
    bindings: () => transport.ask("bindings"),
    bindingAdd: (binding) => transport.ask("bindings", post({ ...binding })),
    bindingRemove: (name) => remove("bindings", name),
    agents: () => transport.ask("agents"),
    agentAdd: (agent) => transport.ask("agents", post({ ...agent })),
    agentRemove: (name) => remove("agents", name),
    projects: () => transport.ask("projects"),
    projectAdd: (project) => transport.ask("projects", post({ ...project })),
    projectRemove: (name) => remove("projects", name),
    putBack: (removed) => transport.ask("removed", post({ ...removed })),
    select: (owner, name, interfaceName, bindings) =>
      transport.ask(`${owner}s/${part(name)}/services/${part(interfaceName)}`, {
        method: "PUT",
        json: { bindings },
      }),
    externalServices: (agent) => transport.ask(`agents/${part(agent)}/open`, { method: "POST" }),
  } satisfies Partial<Operations>;
}

function safetyClient(transport: Transport) {
  return {
    secrets: () => transport.ask("secrets"),
    secretSet: (name, value) =>
      transport.ask(`secrets/${part(name)}`, { method: "PUT", bytes: new Uint8Array(value) }),
    secretRemove: (name) => transport.ask(`secrets/${part(name)}`, { method: "DELETE" }),
    trustShow: (name) => transport.ask(`trust/${part(name)}`),
    trustSet: (kind, name, hash) =>
      transport.ask(`trust/${kind}/${part(name)}`, { method: "PUT", json: { hash } }),
  } satisfies Partial<Operations>;
}

function workClient(transport: Transport) {
  return {
    calls: (query) => transport.ask(`calls?${parameters(query)}`),
    run: (agent, prompt) => transport.ask("sessions", post(prompt === null ? { agent } : { agent, prompt })),
    sessions: (all) => transport.ask(`sessions?all=${all}`),
    session: (id) => transport.ask(`sessions/${part(id)}`),
    sessionStop: (id) => transport.ask(`sessions/${part(id)}/stop`, { method: "POST" }),
    sessionInput: (id, bytes) =>
      transport.ask(`sessions/${part(id)}/input`, { method: "POST", bytes: new Uint8Array(bytes) }),
    async *sessionLog(id, from, follow, signal) {
      const path = `sessions/${part(id)}/log?from=${from}&follow=${follow}`;
      const response = await transport.send(path, { signal }).catch((error) => {
        if (!signal.aborted) throw error;
      });
      if (response) yield* chunksOf(response, signal);
    },
  } satisfies Partial<Operations>;
}
