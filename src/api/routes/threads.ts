import { anyJson, BODY_LIMIT, readBody } from "../body.ts";
import { eventStream, resumeFrom } from "../events.ts";
import { Query } from "../query.ts";
import { type ApiContext, data, done, made, parameter, type Route } from "../route.ts";
import { byteStream } from "../streams.ts";
import type { PageQuery, SentMessage, ThreadOperations, ThreadQuery } from "../thread_ports.ts";
import { HandlerError, type JsonObject, linesOf, utf8 } from "../../base/mod.ts";
import { envName, type Kind, list, map, oneOf, optional, record, required, text } from "../../schema/mod.ts";

const anyObject = map(text({ empty: true }), anyJson) as Kind<JsonObject>;
const newBody = record({
  project: required(text()),
  agent: required(text()),
  person: optional(text()),
  title: optional(text({ max: 1000 })),
  arguments: optional(anyObject, {}),
  env: optional(map(envName, text({ empty: true })), {}),
});
const messageBody = record({
  content: required(text({ empty: true, max: BODY_LIMIT })),
  side: optional(oneOf("a", "b")),
  metadata: optional(anyObject),
  attachments: optional(list(text(), { max: 100, unique: true }), []),
});

const STATUSES = ["idle", "running", "awaiting_human", "failed", "terminated"] as const;
const MOST = 10_000;
const MOST_NUMBER = Number.MAX_SAFE_INTEGER;
/** The longest line of an export: a file of the largest size, as text. */
const LONGEST_LINE = 256 * 1024 * 1024;

/** Threads: what a project defines, what there is, what is said and what is done. */
export function threadRoutes(operations: ThreadOperations): readonly Route[] {
  return [
    ...definitionRoutes(operations),
    ...listRoutes(operations),
    ...readRoutes(operations),
    ...lifeRoutes(operations),
    ...fileRoutes(operations),
  ];
}

function definitionRoutes(operations: ThreadOperations): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/v1/projects/:name/threads/check",
      handle: async (c) => data(await operations.threadsCheck(parameter(c, "name"))),
    },
    {
      method: "GET",
      path: "/v1/projects/:name/threads/types",
      handle: async (c) => data(await operations.threadsTypes(parameter(c, "name"))),
    },
  ];
}

function listRoutes(operations: ThreadOperations): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/v1/threads",
      handle: async (c) => data(await operations.threads(threadQuery(c.req.url))),
    },
    {
      method: "POST",
      path: "/v1/threads",
      async handle(c) {
        const { person = null, title = null, ...rest } = await readBody(c.req.raw, newBody, ["arguments"]);
        const thread = await operations.threadNew({ ...rest, person, title });
        return made(thread, `/v1/threads/${thread.id}`);
      },
    },
    {
      method: "POST",
      path: "/v1/threads/import",
      async handle(c) {
        const project = new Query(c.req.url, ["project"]).text("project") ?? null;
        const made = await operations.threadImport(linesOf(bodyOf(c.req.raw), LONGEST_LINE), project);
        return data(made, 201, { location: `/v1/threads/${made.id}` });
      },
    },
  ];
}

function threadQuery(url: string): ThreadQuery {
  const query = new Query(url, [
    ...["project", "agent", "person", "parent", "status", "ended", "limit", "offset"],
  ]);
  const [project, agent, person] = [query.text("project"), query.text("agent"), query.text("person")];
  const parent = query.text("parent");
  const status = STATUSES.find((one) => one === query.text("status"));
  if (query.text("status") !== undefined && !status) {
    throw new HandlerError("usage", `the query parameter status must be one of ${STATUSES.join(", ")}`);
  }
  return {
    ...(project !== undefined && { project }),
    ...(agent !== undefined && { agent }),
    ...(person !== undefined && { person }),
    // an empty parent: those that are nobody's child
    ...(parent !== undefined && { parent: parent === "" ? null : parent }),
    ...(status && { status }),
    ...(query.text("ended") !== undefined && { ended: query.flag("ended") }),
    limit: query.integer("limit", 1, MOST) ?? 100,
    offset: query.integer("offset", 0, MOST_NUMBER) ?? 0,
  };
}

function pageQuery(query: Query): PageQuery {
  const order = query.text("order") ?? "asc";
  if (order !== "asc" && order !== "desc") {
    throw new HandlerError("usage", "the query parameter order must be asc or desc");
  }
  const after = query.integer("after", 0, MOST_NUMBER);
  const before = query.integer("before", 0, MOST_NUMBER);
  return {
    limit: query.integer("limit", 1, MOST) ?? 100,
    offset: query.integer("offset", 0, MOST_NUMBER) ?? 0,
    order,
    ...(after !== undefined && { after }),
    ...(before !== undefined && { before }),
  };
}

const PAGE = ["limit", "offset", "order", "after", "before"] as const;

function readRoutes(operations: ThreadOperations): readonly Route[] {
  const page = (c: ApiContext) => pageQuery(new Query(c.req.url, PAGE));
  const read = (rest: string, handle: Route["handle"]): Route => {
    return { method: "GET", path: `/v1/threads/:id${rest}`, handle };
  };
  return [
    read("", async (c) => data(await operations.thread(parameter(c, "id")))),
    read("/messages", async (c) => {
      const query = new Query(c.req.url, [...PAGE, "silent", "depth"]);
      const maxDepth = query.integer("depth", 0, MOST) ?? 0;
      const wanted = { ...pageQuery(query), includeSilent: query.flag("silent"), maxDepth };
      return data(await operations.threadMessages(parameter(c, "id"), wanted));
    }),
    read("/messages/:message", async (c) => {
      return data(await operations.threadMessage(parameter(c, "id"), parameter(c, "message")));
    }),
    read("/kept", async (c) => data(await operations.threadKept(parameter(c, "id")))),
    read("/turns", async (c) => data(await operations.threadTurns(parameter(c, "id"), page(c)))),
    read("/logs", async (c) => data(await operations.threadLogs(parameter(c, "id"), page(c)))),
    read("/sessions", async (c) => data(await operations.threadSessions(parameter(c, "id")))),
    read("/watch", async (c) => {
      const asked = new Query(c.req.url, ["after"]).integer("after", 0, MOST_NUMBER) ?? 0;
      const { thread } = await operations.thread(parameter(c, "id"));
      const after = resumeFrom(c.req.raw, asked);
      return eventStream((signal) => operations.threadWatch(thread.id, after, signal));
    }),
    read("/export", async (c) => {
      const left = new AbortController();
      const lines = operations.threadExport(parameter(c, "id"), left.signal)[Symbol.asyncIterator]();
      // what is wrong at once is an answer of its own; later on the stream can only break off
      const first = await lines.next();
      return byteStream((signal) => {
        signal.addEventListener("abort", () => left.abort(), { once: true });
        return encoded(first, lines);
      });
    }),
  ];
}

async function* encoded(
  first: IteratorResult<string>,
  rest: AsyncIterator<string>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let line = first; !line.done; line = await rest.next()) yield utf8(`${line.value.trimEnd()}\n`);
  } finally {
    await rest.return?.();
  }
}

function lifeRoutes(operations: ThreadOperations): readonly Route[] {
  const change = (verb: string, act: (id: string) => Promise<void>): Route => ({
    method: "POST",
    path: `/v1/threads/:id/${verb}`,
    async handle(c) {
      await act(parameter(c, "id"));
      return done();
    },
  });
  return [
    {
      method: "POST",
      path: "/v1/threads/:id/messages",
      async handle(c) {
        const { content, side, metadata, attachments } = await readBody(c.req.raw, messageBody, ["metadata"]);
        const message: SentMessage = { content, side, metadata, attachments };
        return data(await operations.threadSend(parameter(c, "id"), message), 201);
      },
    },
    change("stop", (id) => operations.threadStop(id)),
    change("resume", (id) => operations.threadResume(id)),
    change("terminate", (id) => operations.threadTerminate(id)),
    {
      method: "DELETE",
      path: "/v1/threads/:id/effects/:effect",
      async handle(c) {
        await operations.threadEffectCancel(parameter(c, "id"), parameter(c, "effect"));
        return done();
      },
    },
    {
      method: "DELETE",
      path: "/v1/threads/:id",
      async handle(c) {
        await operations.threadRemove(parameter(c, "id"));
        return done();
      },
    },
  ];
}

function fileRoutes(operations: ThreadOperations): readonly Route[] {
  const pathOf = (c: ApiContext) => {
    const path = new Query(c.req.url, ["path"]).text("path");
    if (!path) throw new HandlerError("usage", "the query parameter path is missing");
    return path;
  };
  return [
    {
      method: "GET",
      path: "/v1/threads/:id/files",
      handle: async (c) => data(await operations.threadFiles(parameter(c, "id"))),
    },
    {
      method: "GET",
      path: "/v1/threads/:id/file",
      async handle(c) {
        const bytes = await operations.threadFile(parameter(c, "id"), pathOf(c));
        const headers = { "content-type": "application/octet-stream", "cache-control": "no-store" };
        return new Response(new Uint8Array(bytes), { headers });
      },
    },
    {
      method: "PUT",
      path: "/v1/threads/:id/file",
      async handle(c) {
        const type = c.req.header("content-type") ?? "application/octet-stream";
        const bytes = new Uint8Array(await c.req.arrayBuffer());
        await operations.threadPutFile(parameter(c, "id"), pathOf(c), type, bytes);
        return done();
      },
    },
  ];
}

/** The pieces of a request's body. */
async function* bodyOf({ body }: Request): AsyncGenerator<Uint8Array> {
  if (body) yield* body;
}
