/** One call of a service (contract S.16). Never the payload, nor any part of it. */
export interface CallRecord {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** `agent:clerk`, `check`, `app:notes` … */
  readonly caller: string;
  readonly session: string | null;
  readonly interfaceId: string;
  readonly interfaceHash: string;
  readonly tool: string;
  readonly binding: string;
  readonly connector: string;
  readonly connectorHash: string;
  /** Durations in milliseconds. */
  readonly queueMs: number;
  readonly startMs: number;
  readonly upstreamMs: number;
  readonly validateMs: number;
  readonly totalMs: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Pages, seconds, tokens: what the connector counted, by name. */
  readonly units: Readonly<Record<string, number>>;
  /** `host:port` of every connection the connector had open or made meanwhile. */
  readonly hosts: readonly string[];
  /** null where the call succeeded. */
  readonly error: string | null;
  /** What the operator needs to know of a failure: the property, the rule; never a value. */
  readonly detail: string | null;
  readonly traceId: string | null;
}
