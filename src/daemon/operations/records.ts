import type { CallQuery, CallStats, DeskOperations, HostStats, StatsQuery } from "../../api/mod.ts";
import { delay, HandlerError } from "../../base/mod.ts";
import type { CallFilter, CallRecord, HostTally } from "../../store/mod.ts";
import type { Parts } from "../assemble.ts";
import { costOf } from "./cost.ts";
import { csvLine } from "./csv.ts";

type RecordOperations = Pick<DeskOperations, "call" | "callStats" | "callsExport">;

/** Records of calls, and what they come to. */
export function recordOperations(parts: Parts): RecordOperations {
  const { store } = parts;
  return {
    // deno-lint-ignore require-await -- what is thrown must reject
    async call(id) {
      const record = store.calls.get(id);
      if (record) return { ...record, cost: costOf(parts, record.binding, record.units) };
      throw new HandlerError("not_found", `there is no record of a call ${JSON.stringify(id)}`);
    },
    callStats: (query) => stats(parts, query),
    callsExport: (query, format, signal) => exported(parts, query, format, signal),
  };
}

/** A query of the API as the store takes it. */
export function toFilter({ failedOnly, ...rest }: CallQuery): CallFilter {
  return failedOnly && rest.error === undefined ? { ...rest, error: true } : rest;
}

async function stats(parts: Parts, query: StatsQuery): Promise<CallStats> {
  const { from, to, binding } = query;
  const bindings = (await parts.store.calls.tally(query)).map((tally) => {
    return { ...tally, cost: costOf(parts, tally.binding, tally.units) };
  });
  // a connection that is still open has sent something too, and is stored only once it has ended
  const hosts = hostStats([...parts.store.egress.tally(from, to), ...parts.contacted.open(from, to)])
    .filter((host) => binding === undefined || host.bindings.includes(binding));
  return { from, to, bindings, hosts, currency: parts.configuration.current().main.currency };
}

/** By host, over all that reached it. */
function hostStats(tallies: readonly HostTally[]): readonly HostStats[] {
  const hosts = new Map<string, HostStats>();
  for (const { sandbox, host, port, connections, sentBytes, receivedBytes } of tallies) {
    const name = `${host}:${port}`;
    const known = hosts.get(name) ?? { host: name, connections: 0, bytesOut: 0, bytesIn: 0, bindings: [] };
    const binding = /^connector-(.+)-[0-9]+$/.exec(sandbox)?.[1];
    hosts.set(name, {
      host: name,
      connections: known.connections + connections,
      bytesOut: known.bytesOut + sentBytes,
      bytesIn: known.bytesIn + receivedBytes,
      bindings: binding === undefined ? known.bindings : [...new Set([...known.bindings, binding])].sort(),
    });
  }
  return [...hosts.values()].sort((a, b) => (a.host < b.host ? -1 : 1));
}

/** How many records are read at a time. */
const PAGE = 500;

const COLUMNS = [
  ...["id", "startedAt", "caller", "session", "interfaceId", "tool", "binding", "connector"],
  ...["queueMs", "startMs", "upstreamMs", "validateMs", "totalMs", "bytesIn", "bytesOut", "units", "hosts"],
  ...["cost", "error", "detail", "traceId", "interfaceHash", "connectorHash"],
] as const;

/** A page at a time, so that neither memory nor other work feels how many there are. */
async function* exported(
  parts: Parts,
  { limit, ...query }: CallQuery,
  format: "csv" | "jsonl",
  signal: AbortSignal,
): AsyncGenerator<string> {
  if (format === "csv") yield csvLine(COLUMNS);
  let before = query.before;
  for (let left = limit; left > 0 && !signal.aborted;) {
    const filter = toFilter({
      ...query,
      ...(before !== undefined && { before }),
      limit: Math.min(left, PAGE),
    });
    const page = parts.store.calls.query(filter);
    if (page.length > 0) yield page.map((record) => lineOf(parts, record, format)).join("");
    left -= page.length;
    before = page.at(-1)?.id;
    if (page.length < PAGE) return;
    await delay(0);
  }
}

function lineOf(parts: Parts, record: CallRecord, format: "csv" | "jsonl"): string {
  const whole = { ...record, cost: costOf(parts, record.binding, record.units) };
  if (format === "jsonl") return `${JSON.stringify(whole)}\n`;
  const { startedAt, units, hosts } = record;
  const flat = {
    ...whole,
    startedAt: new Date(startedAt).toISOString(),
    units: Object.entries(units).map(([unit, count]) => `${unit}=${count}`).join(" "),
    hosts: hosts.join(" "),
  };
  return csvLine(COLUMNS.map((name) => flat[name]));
}
