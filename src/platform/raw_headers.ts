import type { IncomingMessage } from "node:http";

/** A header as it came in, in order; a name may stand more than once. */
export type RawHeader = readonly [name: string, value: string];

/** The headers of a message as the wire had them. */
export function rawHeaders({ rawHeaders }: IncomingMessage): readonly RawHeader[] {
  return Array.from(
    { length: rawHeaders.length / 2 },
    (_, i) => [rawHeaders[2 * i]!, rawHeaders[2 * i + 1]!],
  );
}

/**
 * Headers as Node's HTTP takes them on every Deno: by name, the values of one that stands more than once as a list. (The
 * flat list that Node takes too is left out silently by Deno 2.6.)
 */
export function headerRecord(headers: readonly RawHeader[]): Record<string, string | string[]> {
  const record: Record<string, string | string[]> = {};
  const spelled = new Map<string, string>();
  for (const [name, value] of headers) {
    const known = spelled.get(name.toLowerCase());
    if (known === undefined) {
      spelled.set(name.toLowerCase(), name);
      record[name] = value;
    } else record[known] = [record[known]!, value].flat();
  }
  return record;
}
