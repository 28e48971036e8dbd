import { readBody } from "../body.ts";
import type { Operations, Removed } from "../ports.ts";
import { data, done, made, parameter, type Route } from "../route.ts";
import {
  absolutePath,
  boolean,
  envName,
  list,
  map,
  number,
  oneOf,
  optional,
  record,
  required,
  slotName,
  text,
  unshown,
} from "../../schema/mod.ts";

const words = map(text(), text({ empty: true }));
const variables = map(envName, unshown(text({ empty: true })));
const selection = map(text(), list(text(), { unique: true }));
const bindingBody = record({
  name: required(text()),
  connector: required(text()),
  description: optional(text({ empty: true, max: 1000 }), ""),
  settings: optional(words, {}),
  secrets: optional(words, {}),
  prices: optional(map(slotName, number({ min: 0, max: 1e9 }))),
  replace: optional(boolean, false),
});
const agentBody = record({
  name: required(text()),
  project: required(text()),
  harness: required(text()),
  command: optional(list(text()), []),
  services: optional(selection, {}),
  egress: optional(list(text(), { unique: true })),
  env: optional(variables),
  model: optional(text({ empty: true, max: 200 })),
  addons: optional(list(text(), { unique: true })),
  image: optional(text({ empty: true, max: 500 })),
  replace: optional(boolean, false),
});
const projectBody = record({
  name: required(text()),
  path: required(absolutePath()),
  requires: optional(list(text(), { unique: true }), []),
  privacy: optional(oneOf("local", "any"), "any"),
  services: optional(selection),
  env: optional(variables),
  replace: optional(boolean, false),
});
const removedBody = record({
  kind: required(oneOf("agent", "project", "binding")),
  name: required(text()),
  text: required(text({ max: 1_000_000 })),
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
    {
      method: "POST",
      path: "/v1/removed",
      async handle(c) {
        await operations.putBack(await readBody(c.req.raw, removedBody));
        return done();
      },
    },
  ];
}

function bindingRoutes(operations: Operations): readonly Route[] {
  return [
    { method: "GET", path: "/v1/bindings", handle: async () => data(await operations.bindings()) },
    {
      method: "POST",
      path: "/v1/bindings",
      async handle(c) {
        const binding = await operations.bindingAdd(said(await readBody(c.req.raw, bindingBody)));
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
        const agent = await operations.agentAdd(said(await readBody(c.req.raw, agentBody)));
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
        const project = await operations.projectAdd(said(await readBody(c.req.raw, projectBody)));
        return made(project, `/v1/projects/${project.name}`);
      },
    },
    removal("/v1/projects/:name", (name) => operations.projectRemove(name)),
  ];
}

/** The record without the keys that were left out: those stay as they were. */
function said<T extends object>(record: T): Said<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Said<T>;
}

type Said<T> =
  & { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] }
  & { readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

function removal(path: string, remove: (name: string) => Promise<Removed>): Route {
  return {
    method: "DELETE",
    path,
    async handle(c) {
      return data(await remove(parameter(c, "name")));
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
