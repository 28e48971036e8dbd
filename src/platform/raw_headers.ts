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
