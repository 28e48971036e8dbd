import { type JsonObject, linesOf } from "../base/mod.ts";

/** The events of a `text/event-stream` whose data are JSON objects, `id` and `event` among their keys. */
export async function* readEvents<E extends { readonly event: string }>(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<E> {
  let fields = new Map<string, string>();
  for await (const line of linesOf(chunks)) {
    const colon = line.indexOf(":");
    if (line !== "" && colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).trimStart());
    if (line !== "") continue;
    const [id, event, data] = ["id", "event", "data"].map((name) => fields.get(name));
    fields = new Map();
    if (event === undefined || data === undefined) continue;
    const body = JSON.parse(data) as JsonObject;
    yield { ...body, event, ...(id !== undefined && { id: Number(id) }) } as unknown as E;
  }
}
