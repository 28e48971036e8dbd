import { anyJson, readBody } from "../body.ts";
import type { Operations } from "../ports.ts";
import { data, done, parameter, type Route } from "../route.ts";
import { progressStream } from "../streams.ts";
import { absolutePath, list, optional, record, required, text } from "../../schema/mod.ts";

const checkBody = record({ target: required(text()) });
const publishBody = record({ id: required(text()) });
const stubBody = record({ id: required(text()), name: required(text()) });
const connectorCheckBody = record({ binding: optional(text()) });
const compareBody = record({
  tool: required(text()),
  input: required(anyJson),
  scope: required(absolutePath()),
  bindings: required(list(text(), { min: 2, max: 2 })),
});

/** Interfaces and the connectors that implement them. */
export function catalogRoutes(operations: Operations): readonly Route[] {
  return [...interfaceRoutes(operations), ...connectorRoutes(operations)];
}

function interfaceRoutes(operations: Operations): readonly Route[] {
  return [
    { method: "GET", path: "/v1/interfaces", handle: async () => data(await operations.interfaces()) },
    {
      method: "POST",
      path: "/v1/interfaces/check",
      async handle(c) {
        return data(await operations.interfaceCheck((await readBody(c.req.raw, checkBody)).target));
      },
    },
    {
      method: "POST",
      path: "/v1/interfaces/publish",
      async handle(c) {
        return data(await operations.interfacePublish((await readBody(c.req.raw, publishBody)).id));
      },
    },
    {
      method: "POST",
      path: "/v1/interfaces/stub",
      async handle(c) {
        const { id, name } = await readBody(c.req.raw, stubBody);
        return data(await operations.interfaceStub(id, name));
      },
    },
  ];
}

function connectorRoutes(operations: Operations): readonly Route[] {
  return [
    { method: "GET", path: "/v1/connectors", handle: async () => data(await operations.connectors()) },
    {
      method: "POST",
      path: "/v1/connectors/:name/check",
      async handle(c) {
        const { binding } = await readBody(c.req.raw, connectorCheckBody);
        const name = parameter(c, "name");
        return progressStream((line) => operations.connectorCheck(name, binding ?? null, line));
      },
    },
    {
      method: "POST",
      path: "/v1/connectors/compare",
      async handle(c) {
        const { tool, input, scope, bindings } = await readBody(c.req.raw, compareBody, ["input"]);
        const [one, other] = bindings as unknown as readonly [string, string];
        return data(await operations.connectorCompare(tool, input, scope, [one, other]));
      },
    },
    {
      method: "GET",
      path: "/v1/bindings/:name/log",
      handle: async (c) => data({ log: await operations.connectorLog(parameter(c, "name")) }),
    },
    {
      method: "POST",
      path: "/v1/bindings/:name/restart",
      async handle(c) {
        await operations.connectorRestart(parameter(c, "name"));
        return done();
      },
    },
  ];
}
