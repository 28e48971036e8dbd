import { delay } from "../../../base/mod.ts";
import type { CallQuery, CallView } from "../../../client/mod.ts";
import { type Command, type Context, JSON_OPTION } from "../../command.ts";
import { callFilters, FILTER_OPTIONS, limitOf } from "../../call_filters.ts";
import { EXIT } from "../../exit.ts";
import { interruptible } from "../../interrupt.ts";
import type { Column } from "../../table.ts";
import { bytes, duration, localTime } from "../../time.ts";

const PAUSE_MS = 1000;
const MOST = 10_000;

const COLUMNS: readonly Column[] = [
  { title: "TIME" },
  { title: "CALLER", cut: true },
  { title: "TOOL", cut: true },
  { title: "BINDING", cut: true },
  { title: "TOOK", align: "right" },
  { title: "IN", align: "right" },
  { title: "OUT", align: "right" },
  { title: "UNITS", cut: true },
  { title: "HOSTS", cut: true },
  { title: "OUTCOME", cut: true },
];

/** `handler calls` */
export const calls: Command = {
  words: ["calls"],
  summary: "show the record of service calls",
  description:
    `Lists calls of services, the oldest first: who called what, which binding answered, how long it took, bytes, units
(pages, tokens), hosts that its connector was connected to, and how it went. A record never holds what was sent or
answered. --json has every field: hashes, durations part by part, trace ids.`,
  args: [],
  options: [
    ...FILTER_OPTIONS,
    { name: "limit", value: "NUMBER", help: "at most so many of the newest; 50 by default" },
    { name: "follow", short: "f", help: "go on with new ones until Ctrl-C; with --json one line each" },
    JSON_OPTION,
  ],
  examples: [
    { line: "handler calls --agent clerk --since 1h", does: "what the clerk did in the last hour" },
    { line: "handler calls --failed", does: "what went wrong" },
  ],
  async run(context) {
    const query = callFilters(context, limitOf(context, "50", MOST));
    if (context.parsed.flag("follow")) return await follow(context, query);
    const found = oldestFirst(await context.daemon.calls(query));
    context.output.list("calls", found, {
      columns: COLUMNS,
      cells: found.map(cells),
      empty: "there are no calls",
    });
    return EXIT.done;
  },
};

/** Shows the calls of now, then asks again and again for newer ones. */
async function follow({ daemon, output, terminal }: Context, query: CallQuery): Promise<number> {
  using interrupt = interruptible();
  const { signal } = interrupt;
  let shown = new Set<string>();
  let since = query.since ?? 0;
  for (let first = true; !signal.aborted; first = false) {
    const found = oldestFirst(await daemon.calls({ ...query, since, limit: first ? query.limit : MOST }));
    const fresh = found.filter((one) => !shown.has(one.id));
    for (const one of fresh) if (output.json) output.jsonLine({ schema: 1, call: { ...one } });
    const lines = output.table(COLUMNS, fresh.map(cells));
    if (!output.json) terminal.out(first ? lines : lines.slice(lines.indexOf("\n") + 1));
    since = Math.max(since, ...found.map((one) => one.startedAt));
    shown = new Set(found.filter((one) => one.startedAt >= since).map((one) => one.id));
    await delay(PAUSE_MS, signal).catch(() => {});
  }
  return EXIT.done;
}

function oldestFirst(found: readonly CallView[]): readonly CallView[] {
  return found.toSorted((a, b) => a.startedAt - b.startedAt);
}

function cells(call: CallView): readonly string[] {
  return [
    localTime(call.startedAt),
    call.caller,
    call.tool,
    call.binding,
    duration(call.totalMs),
    bytes(call.bytesIn),
    bytes(call.bytesOut),
    Object.entries(call.units).map(([name, number]) => `${number} ${name}`).join(", ") || "-",
    call.hosts.join(", ") || "-",
    call.error === null ? "ok" : `${call.error}${call.detail ? `: ${call.detail}` : ""}`,
  ];
}
