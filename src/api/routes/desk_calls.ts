import { HandlerError, utf8 } from "../../base/mod.ts";
import type { DeskOperations } from "../desk_ports.ts";
import { type ApiContext, data, parameter, type Route } from "../route.ts";
import { Query } from "../query.ts";
import { CALL_PARAMETERS, callQuery } from "./work.ts";

const MOST_POINTS = 2000;
const MOST = Number.MAX_SAFE_INTEGER;

/** Records of calls: one, all as a file, and what they come to. */
export function callRoutes(operations: DeskOperations): readonly Route[] {
  return [
    { method: "GET", path: "/v1/calls/stats", handle: (c) => stats(operations, c) },
    { method: "GET", path: "/v1/calls/export", handle: (c) => exported(operations, c) },
    {
      method: "GET",
      path: "/v1/calls/:id",
      handle: async (c) => data(await operations.call(parameter(c, "id"))),
    },
  ];
}

async function stats(operations: DeskOperations, c: ApiContext): Promise<Response> {
  const query = new Query(c.req.url, ["from", "to", "points", "binding"]);
  const [from, to] = [query.integer("from", 0, MOST), query.integer("to", 0, MOST)];
  if (from === undefined || to === undefined) {
    throw new HandlerError("usage", "the query parameters from and to are needed");
  }
  if (to <= from) throw new HandlerError("usage", "the query parameter to must be after from");
  const points = query.integer("points", 1, MOST_POINTS) ?? 60;
  const binding = query.text("binding");
  return data(await operations.callStats({ from, to, points, ...(binding !== undefined && { binding }) }));
}

const TYPES = { csv: "text/csv; charset=utf-8; header=present", jsonl: "application/x-ndjson" } as const;

async function exported(operations: DeskOperations, c: ApiContext): Promise<Response> {
  const query = new Query(c.req.url, [...CALL_PARAMETERS, "format"]);
  const format = query.text("format") ?? "csv";
  if (format !== "csv" && format !== "jsonl") {
    throw new HandlerError("usage", "the query parameter format must be csv or jsonl");
  }
  const left = new AbortController();
  const wanted = callQuery(query, MOST);
  const parts = operations.callsExport(wanted, format, left.signal)[Symbol.asyncIterator]();
  // what is wrong at once is an answer of its own; later on the stream can only break off
  let next: IteratorResult<string> | undefined = await parts.next();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = next ?? await parts.next();
      next = undefined;
      if (done) controller.close();
      else controller.enqueue(utf8(value));
    },
    async cancel() {
      left.abort();
      await parts.return?.();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": TYPES[format],
      "content-disposition": `attachment; filename="calls.${format}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
