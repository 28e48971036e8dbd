import { readBody } from "../body.ts";
import type { DeskOperations, JobRequest } from "../desk_ports.ts";
import { changeStream } from "../events.ts";
import { Query } from "../query.ts";
import { data, made, parameter, type Route } from "../route.ts";
import {
  absolutePath,
  convert,
  isTable,
  type Kind,
  oneOf,
  optional,
  record,
  required,
  text,
} from "../../schema/mod.ts";

const hash = text({ pattern: { rule: "64 digits of lower-case hexadecimal", test: /^[0-9a-f]{64}$/ } });
const valueBody = record({ value: required(text({ empty: true, max: 100_000 })) });

const kinds = {
  deploy: record({ kind: required(oneOf("deploy")), app: required(text()), hash: required(hash) }),
  "app-check": record({ kind: required(oneOf("app-check")), folder: required(absolutePath()) }),
  "connector-check": convert(
    record({
      kind: required(oneOf("connector-check")),
      connector: required(text()),
      binding: optional(text()),
    }),
    ({ binding = null, ...rest }) => ({ ...rest, binding }),
  ),
  image: record({ kind: required(oneOf("image")), how: required(oneOf("build", "pull")) }),
} satisfies Readonly<Record<JobRequest["kind"], Kind<JobRequest>>>;

/** A request for long work, whose `kind` says what else it has. */
const jobBody: Kind<JobRequest> = {
  rule: "a request for long work",
  read(value, at) {
    const kind = isTable(value) ? value.kind : undefined;
    const name = Object.keys(kinds).find((one): one is JobRequest["kind"] => one === kind);
    if (name) return kinds[name].read(value, at);
    return at.in("kind").problem(`must be one of ${Object.keys(kinds).join(", ")}`);
  },
};

/** What the page needs beyond what the command line does: what changes, long work, what an agent sees, settings. */
export function deskRoutes(operations: DeskOperations): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/v1/changes",
      handle: () => Promise.resolve(changeStream((signal, onHello) => operations.changes(signal, onHello))),
    },
    ...jobRoutes(operations),
    ...sightRoutes(operations),
    ...settingRoutes(operations),
    {
      method: "GET",
      path: "/v1/folder",
      handle: async (c) => {
        return data(await operations.folder(new Query(c.req.url, ["path"]).text("path") ?? null));
      },
    },
  ];
}

function jobRoutes(operations: DeskOperations): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/v1/jobs",
      async handle(c) {
        const job = await operations.jobStart(await readBody(c.req.raw, jobBody));
        return made(job, `/v1/jobs/${job.id}`);
      },
    },
    { method: "GET", path: "/v1/jobs", handle: async () => data(await operations.jobs()) },
    {
      method: "GET",
      path: "/v1/jobs/:id",
      handle: async (c) => data(await operations.job(parameter(c, "id"))),
    },
  ];
}

function sightRoutes(operations: DeskOperations): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/v1/interfaces/:id",
      handle: async (c) => data(await operations.interfaceShow(parameter(c, "id"))),
    },
    {
      method: "GET",
      path: "/v1/connectors/:name/checks",
      handle: async (c) => data(await operations.connectorChecks(parameter(c, "name"))),
    },
    {
      method: "GET",
      path: "/v1/agents/:name/sight",
      handle: async (c) => data(await operations.agentSight(parameter(c, "name"))),
    },
  ];
}

function settingRoutes(operations: DeskOperations): readonly Route[] {
  return [
    { method: "GET", path: "/v1/settings", handle: async () => data(await operations.settings()) },
    {
      method: "PUT",
      path: "/v1/settings/:key",
      async handle(c) {
        const { value } = await readBody(c.req.raw, valueBody);
        return data(await operations.settingSet(parameter(c, "key"), value));
      },
    },
    {
      method: "DELETE",
      path: "/v1/settings/:key",
      handle: async (c) => data(await operations.settingSet(parameter(c, "key"), null)),
    },
  ];
}
