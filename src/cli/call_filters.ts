import type { CallQuery } from "../client/mod.ts";
import type { Context, Option } from "./command.ts";
import { usage } from "./parsed.ts";
import { pointInTime } from "./time.ts";

/** What chooses calls. */
export const FILTER_OPTIONS: readonly Option[] = [
  { name: "agent", value: "NAME", help: "calls of this agent", completes: "agent" },
  { name: "caller", value: "CALLER", help: "calls of this caller, such as agent:clerk, check or desk" },
  { name: "interface", value: "INTERFACE", help: "such as ocr/v1", completes: "interface" },
  { name: "tool", value: "TOOL", help: "calls of this tool", completes: "tool" },
  { name: "binding", value: "NAME", help: "calls that this binding answered", completes: "binding" },
  { name: "session", value: "ID", help: "calls of this session", completes: "session" },
  { name: "failed", help: "only those that failed" },
  { name: "error", value: "CODE", help: "only those that ended with this code, such as unavailable" },
  { name: "since", value: "TIME", help: "30m, 2h, 7d, or a date such as 2026-11-30T08:00" },
  { name: "until", value: "TIME", help: "those that began before then" },
];

/** The calls that a command line chooses. */
export function callFilters({ parsed, clock }: Context, limit: number): CallQuery {
  const agent = parsed.value("agent");
  const caller = parsed.value("caller") ?? (agent === undefined ? undefined : `agent:${agent}`);
  const given = {
    caller,
    interfaceId: parsed.value("interface"),
    ...Object.fromEntries(["tool", "binding", "session", "error"].map((name) => [name, parsed.value(name)])),
    failedOnly: parsed.flag("failed") || undefined,
    ...Object.fromEntries(["since", "until"].map((name) => {
      const time = parsed.value(name);
      return [name, time === undefined ? undefined : Math.floor(pointInTime(time, clock.now()))];
    })),
    limit,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as
    & Partial<CallQuery>
    & Pick<CallQuery, "limit">;
}

/** How many at most. */
export function limitOf({ parsed }: Context, standard: string, most: number): number {
  const limit = parsed.value("limit") ?? standard;
  if (/^[0-9]{1,16}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= most) return Number(limit);
  throw usage(parsed.command, `--limit is a number from 1 to ${most}, found ${JSON.stringify(limit)}`);
}
