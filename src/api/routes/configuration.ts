import { readBody } from "../body.ts";
import type { Operations } from "../ports.ts";
import { data, done, made, parameter, type Route } from "../route.ts";
import {
  absolutePath,
  boolean,
  list,
  map,
  oneOf,
  optional,
  record,
  required,
  text,
} from "../../schema/mod.ts";

const words = map(text(), text({ empty: true }));
const selection = map(text(), list(text(), { unique: true }));
const bindingBody = record({
  name: required(text()),
  connector: required(text()),
  description: optional(text({ empty: true, max: 1000 }), ""),
  settings: optional(words, {}),
  secrets: optional(words, {}),
  replace: optional(boolean, false),
});
const agentBody = record({
  name: required(text()),
  project: required(text()),
  harness: required(text()),
  command: optional(list(text()), []),
  services: optional(selection, {}),
  replace: optional(boolean, false),
});
const projectBody = record({
  name: required(text()),
  path: required(absolutePath()),
  requires: optional(list(text(), { unique: true }), []),
  privacy: optional(oneOf("local", "any"), "any"),
  replace: optional(boolean, false),
});
const selectBody = record({ bindings: required(list(text(), { unique: true })) });

/** What a person configures: bindings, agents, projects, and who uses what. */
export function configurationRoutes(operations: Operations): readonly Route[] {
  return [
    ...bindingRoutes(operations),
    ...agentRoutes(operations),
    ...projectRoutes(operations),
    selectRoute(operations, "agent"),
    selectRoute(operations, "project"),
  ];
}

function bindingRoutes(operations: Operations): readonly Route[] {
  return [
    { method: "GET", path: "/v1/bindings", handle: async () => data(await operations.bindings()) },
    {
      method: "POST",
      path: "/v1/bindings",
      async handle(c) {
        const binding = await operations.bindingAdd(await readBody(c.req.raw, bindingBody));
        return made(binding, `/v1/bindings/${binding.name}`);
      },
    },
    removal("/v1/bindings/:name", (name) => operations.bindingRemove(name)),
  ];
}

function agentRoutes(operations: Operations): readonly Route[] {
  return [
    { method: "GET", path: "/v1/agents", handle: async () => data(await operations.agents()) },
    {
      method: "POST",
      path: "/v1/agents",
      async handle(c) {
        const agent = await operations.agentAdd(await readBody(c.req.raw, agentBody));
        return made(agent, `/v1/agents/${agent.name}`);
      },
    },
    removal("/v1/agents/:name", (name) => operations.agentRemove(name)),
    {
      method: "POST",
      path: "/v1/agents/:name/open",
      handle: async (c) => data(await operations.externalServices(parameter(c, "name"))),
    },
  ];
}

function projectRoutes(operations: Operations): readonly Route[] {
  return [
    { method: "GET", path: "/v1/projects", handle: async () => data(await operations.projects()) },
    {
      method: "POST",
      path: "/v1/projects",
      async handle(c) {
        const project = await operations.projectAdd(await readBody(c.req.raw, projectBody));
        return made(project, `/v1/projects/${project.name}`);
      },
    },
    removal("/v1/projects/:name", (name) => operations.projectRemove(name)),
  ];
}

function removal(path: string, remove: (name: string) => Promise<void>): Route {
  return {
    method: "DELETE",
    path,
    async handle(c) {
      await remove(parameter(c, "name"));
      return done();
    },
  };
}

function selectRoute(operations: Operations, owner: "agent" | "project"): Route {
  return {
    method: "PUT",
    path: `/v1/${owner}s/:name/services/:interface`,
    async handle(c) {
      const { bindings } = await readBody(c.req.raw, selectBody);
      await operations.select(owner, parameter(c, "name"), parameter(c, "interface"), bindings);
      return done();
    },
  };
}
