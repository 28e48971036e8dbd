import { readBody } from "../body.ts";
import type { CallQuery, Operations } from "../ports.ts";
import { Query } from "../query.ts";
import { data, done, made, parameter, type Route } from "../route.ts";
import { byteStream } from "../streams.ts";
import { optional, record, required, text } from "../../schema/mod.ts";

const runBody = record({ agent: required(text()), prompt: optional(text({ max: 1_000_000 })) });

/** The most call records in one answer. */
const MOST_CALLS = 10_000;

/** Sessions of agents and the record of their calls. */
export function workRoutes(operations: Operations): readonly Route[] {
  return [callsRoute(operations), ...sessionRoutes(operations), ...streamRoutes(operations)];
}

const TEXTS = ["caller", "interfaceId", "tool", "binding", "session", "error", "before"] as const;
const TIMES = ["since", "until"] as const;

/** What limits a list of calls. */
export const CALL_PARAMETERS: readonly string[] = [...TEXTS, ...TIMES, "failedOnly", "limit"];

/** Which calls a URL asks for; `most` is the largest limit. */
export function callQuery(query: Query, most: number, standard = most): CallQuery {
  const times = TIMES.map((name) => [name, query.integer(name, 0, Number.MAX_SAFE_INTEGER)] as const);
  return {
    ...Object.fromEntries(TEXTS.flatMap((name) => query.text(name) ? [[name, query.text(name)]] : [])),
    ...Object.fromEntries(times.filter(([, value]) => value !== undefined)),
    failedOnly: query.flag("failedOnly"),
    limit: query.integer("limit", 1, most) ?? standard,
  };
}

function callsRoute(operations: Operations): Route {
  return {
    method: "GET",
    path: "/v1/calls",
    handle: async (c) =>
      data(await operations.calls(callQuery(new Query(c.req.url, CALL_PARAMETERS), MOST_CALLS, 50))),
  };
}

function sessionRoutes(operations: Operations): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/v1/sessions",
      async handle(c) {
        const { agent, prompt } = await readBody(c.req.raw, runBody);
        const session = await operations.run(agent, prompt ?? null);
        return made(session, `/v1/sessions/${session.id}`);
      },
    },
    {
      method: "GET",
      path: "/v1/sessions",
      handle: async (c) => data(await operations.sessions(new Query(c.req.url, ["all"]).flag("all"))),
    },
    {
      method: "GET",
      path: "/v1/sessions/:id",
      handle: async (c) => data(await operations.session(parameter(c, "id"))),
    },
    {
      method: "POST",
      path: "/v1/sessions/:id/stop",
      handle: async (c) => data(await operations.sessionStop(parameter(c, "id"))),
    },
  ];
}

function streamRoutes(operations: Operations): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/v1/sessions/:id/log",
      async handle(c) {
        const query = new Query(c.req.url, ["from", "follow"]);
        const [from, follow] = [query.integer("from", 0, Number.MAX_SAFE_INTEGER) ?? 0, query.flag("follow")];
        const { id } = await operations.session(parameter(c, "id"));
        return byteStream((signal) => operations.sessionLog(id, from, follow, signal));
      },
    },
    {
      method: "POST",
      path: "/v1/sessions/:id/input",
      async handle(c) {
        await operations.sessionInput(parameter(c, "id"), new Uint8Array(await c.req.arrayBuffer()));
        return done();
      },
    },
  ];
}
