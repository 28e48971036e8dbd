import type { Json } from "../base/mod.ts";
import type { CallQuery, Change, DeskOperations, Hello, StatsQuery } from "../api/mod.ts";
import { readEvents } from "./events.ts";
import { deskLinkClient } from "./desk_link.ts";
import { part, post } from "./paths.ts";
import { chunksOf, type Transport } from "./transport.ts";

/** What the page asks beyond what the command line does. */
export function deskClient(transport: Transport) {
  return {
    changes: (signal, onHello) => changes(transport, signal, onHello),
    ...deskLinkClient(transport),
    jobStart: (request) => transport.ask("jobs", post(withoutNulls({ ...request }))),
    jobs: () => transport.ask("jobs"),
    job: (id) => transport.ask(`jobs/${part(id)}`),
    connectorChecks: (connector) => transport.ask(`connectors/${part(connector)}/checks`),
    interfaceShow: (id) => transport.ask(`interfaces/${part(id)}`),
    agentSight: (name) => transport.ask(`agents/${part(name)}/sight`),
    folder: (path) => transport.ask(path === null ? "folder" : `folder?path=${encodeURIComponent(path)}`),
    settings: () => transport.ask("settings"),
    settingSet: (key, value) =>
      transport.ask(
        `settings/${part(key)}`,
        value === null ? { method: "DELETE" } : { method: "PUT", json: { value } },
      ),
    ...trialClient(transport),
    ...callClient(transport),
  } satisfies DeskOperations;
}

async function* changes(
  transport: Transport,
  signal: AbortSignal,
  onHello: ((hello: Hello) => void) | undefined,
): AsyncGenerator<Change> {
  const response = await transport.send("changes", { signal }).catch((error) => {
    if (!signal.aborted) throw error;
  });
  if (!response) return;
  type Told = { event: "hello" } & Hello | { event: "change" } & Change;
  for await (const told of readEvents<Told>(chunksOf(response, signal))) {
    if (told.event === "change") yield { topic: told.topic, key: told.key };
    else onHello?.({ instance: told.instance, version: told.version });
  }
}

function trialClient(transport: Transport) {
  const at = (id: string, rest = "") => `trials/${part(id)}${rest}`;
  return {
    trialNew: () => transport.ask("trials", { method: "POST" }),
    trial: (id) => transport.ask(at(id)),
    trialPut: (id, name, bytes) =>
      transport.ask(at(id, `/files/${part(name)}`), {
        method: "PUT",
        ...(bytes instanceof Blob ? { bytes } : { stream: ReadableStream.from(bytes) }),
      }),
    async *trialFile(id, name) {
      yield* chunksOf(await transport.send(at(id, `/files/${part(name)}`), {}));
    },
    trialCall: (id, call, signal) => transport.ask(at(id, "/call"), { ...post({ ...call }), signal }),
    trialRemove: (id) => transport.ask(at(id), { method: "DELETE" }),
  } satisfies Partial<DeskOperations>;
}

function callClient(transport: Transport) {
  return {
    call: (id) => transport.ask(`calls/${part(id)}`),
    callStats: (query) => transport.ask(`calls/stats?${parameters(query)}`),
    async *callsExport(query, format, signal) {
      const { limit, ...rest } = query;
      const limited = Number.isSafeInteger(limit) ? { limit } : {};
      const path = `calls/export?${parameters({ ...rest, ...limited })}&format=${format}`;
      const decoder = new TextDecoder();
      for await (const chunk of chunksOf(await transport.send(path, { signal }), signal)) {
        yield decoder.decode(chunk, { stream: true });
      }
    },
  } satisfies Partial<DeskOperations>;
}

/** What is given of a query, as the parameters of a URL. */
export function parameters(query: Partial<CallQuery & StatsQuery>): URLSearchParams {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]));
}

/** The API takes no null where a key may be left out. */
function withoutNulls(pairs: Readonly<Record<string, Json>>): { readonly [key: string]: Json } {
  return Object.fromEntries(Object.entries(pairs).filter(([, value]) => value !== null));
}
