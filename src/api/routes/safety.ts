import { HandlerError } from "../../base/mod.ts";
import { readBody } from "../body.ts";
import type { Operations } from "../ports.ts";
import { data, done, parameter, type Route } from "../route.ts";
import { record, required, text } from "../../schema/mod.ts";

const trustBody = record({
  hash: required(text({ pattern: { rule: "64 digits of lower-case hexadecimal", test: /^[0-9a-f]{64}$/ } })),
});

/** Secrets and trust. A secret's value goes in and never comes out. */
export function safetyRoutes(operations: Operations): readonly Route[] {
  return [
    { method: "GET", path: "/v1/secrets", handle: async () => data(await operations.secrets()) },
    {
      method: "PUT",
      path: "/v1/secrets/:name",
      async handle(c) {
        await operations.secretSet(parameter(c, "name"), new Uint8Array(await c.req.arrayBuffer()));
        return done();
      },
    },
    {
      method: "DELETE",
      path: "/v1/secrets/:name",
      async handle(c) {
        await operations.secretRemove(parameter(c, "name"));
        return done();
      },
    },
    {
      method: "GET",
      path: "/v1/trust/:name",
      handle: async (c) => data(await operations.trustShow(parameter(c, "name"))),
    },
    {
      method: "PUT",
      path: "/v1/trust/:kind/:name",
      async handle(c) {
        const { hash } = await readBody(c.req.raw, trustBody);
        await operations.trustSet(trustKind(parameter(c, "kind")), parameter(c, "name"), hash);
        return done();
      },
    },
  ];
}

function trustKind(text: string): "interface" | "connector" {
  if (text === "interface" || text === "connector") return text;
  throw new HandlerError(
    "usage",
    `what is trusted is an interface or a connector, found ${JSON.stringify(text)}`,
  );
}
