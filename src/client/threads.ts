import { type Json, linesOf, utf8 } from "../base/mod.ts";
import type { PageQuery, ThreadOperations, ThreadQuery, WatchEvent } from "../api/mod.ts";
import { readEvents } from "./events.ts";
import { part, post } from "./paths.ts";
import { chunksOf, type Transport } from "./transport.ts";

/** Threads, asked of the daemon. */
export function threadClient(transport: Transport) {
  const at = (id: string, rest = "") => `threads/${part(id)}${rest}`;
  return {
    threadsCheck: (project) => transport.ask(`projects/${part(project)}/threads/check`),
    threadsTypes: (project) => transport.ask(`projects/${part(project)}/threads/types`),
    threads: (query) => transport.ask(`threads?${queryText(listParameters(query))}`),
    threadNew: ({ person, title, ...rest }) =>
      transport.ask("threads", post(given({ ...rest, person, title }))),
    thread: (id) => transport.ask(at(id)),
    threadSend: (id, { content, side, metadata, attachments }) =>
      transport.ask(
        at(id, "/messages"),
        post(given({ content, side, metadata, attachments: [...attachments] })),
      ),
    threadMessages(id, { includeSilent, maxDepth = 0, ...page }) {
      const wanted = { ...pageParameters(page), silent: includeSilent, depth: maxDepth };
      return transport.ask(at(id, `/messages?${queryText(wanted)}`));
    },
    threadMessage: (id, message) => transport.ask(at(id, `/messages/${part(message)}`)),
    threadKept: (id) => transport.ask(at(id, "/kept")),
    threadEffectCancel: (id, effect) =>
      transport.ask(at(id, `/effects/${part(effect)}`), { method: "DELETE" }),
    threadTurns: (id, page) => transport.ask(at(id, `/turns?${queryText(pageParameters(page))}`)),
    threadLogs: (id, page) => transport.ask(at(id, `/logs?${queryText(pageParameters(page))}`)),
    threadSessions: (id) => transport.ask(at(id, "/sessions")),
    threadStop: (id) => transport.ask(at(id, "/stop"), { method: "POST" }),
    threadResume: (id) => transport.ask(at(id, "/resume"), { method: "POST" }),
    threadTerminate: (id) => transport.ask(at(id, "/terminate"), { method: "POST" }),
    threadRemove: (id) => transport.ask(at(id), { method: "DELETE" }),
    ...streamClient(transport, at),
  } satisfies Partial<ThreadOperations>;
}

/** What comes or goes in pieces. */
function streamClient(transport: Transport, at: (id: string, rest?: string) => string) {
  return {
    async *threadWatch(id: string, after: number, signal: AbortSignal): AsyncGenerator<WatchEvent> {
      const response = await transport.send(at(id, `/watch?after=${after}`), { signal }).catch((error) => {
        if (!signal.aborted) throw error;
      });
      if (response) yield* readEvents<WatchEvent>(chunksOf(response, signal));
    },
    async *threadExport(id: string, signal: AbortSignal): AsyncGenerator<string> {
      yield* linesOf(chunksOf(await transport.send(at(id, "/export"), { signal }), signal));
    },
    threadImport: (lines: AsyncIterable<string> | Blob, project: string | null): Promise<{ id: string }> =>
      transport.ask(`threads/import${project === null ? "" : `?${queryText({ project })}`}`, {
        method: "POST",
        ...(lines instanceof Blob ? { bytes: lines } : { stream: ReadableStream.from(encoded(lines)) }),
        type: "application/x-ndjson",
      }),
    threadFiles: (id) => transport.ask(at(id, "/files")),
    async threadFile(id, path) {
      const response = await transport.send(at(id, `/file?${queryText({ path })}`), {});
      return new Uint8Array(await response.arrayBuffer());
    },
    async threadPutFile(id, path, type, bytes) {
      await transport.ask(at(id, `/file?${queryText({ path })}`), {
        method: "PUT",
        bytes: new Uint8Array(bytes),
        type,
      });
    },
  } satisfies Partial<ThreadOperations>;
}

async function* encoded(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const line of lines) yield utf8(`${line}\n`);
}

function listParameters({ parent, ...rest }: ThreadQuery) {
  return { ...rest, ...(parent !== undefined && { parent: parent ?? "" }) };
}

function pageParameters({ limit, offset, order, after, before }: PageQuery) {
  return {
    limit,
    offset,
    order,
    ...(after !== undefined && { after }),
    ...(before !== undefined && { before }),
  };
}

function queryText(pairs: Readonly<Record<string, string | number | boolean>>): string {
  return String(new URLSearchParams(Object.entries(pairs).map(([name, value]) => [name, String(value)])));
}

/** The keys that have a value; the API takes no null where one may be left out. */
function given(pairs: Readonly<Record<string, unknown>>): { readonly [key: string]: Json } {
  return Object.fromEntries(
    Object.entries(pairs).filter((pair): pair is [string, Json] => pair[1] !== undefined && pair[1] !== null),
  );
}
