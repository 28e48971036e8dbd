import type { SessionView } from "../client/mod.ts";
import { pairs } from "./table.ts";
import { count, plain } from "./text.ts";
import { duration, localTime } from "./time.ts";

/** A session with all it says. */
export function sessionText(one: SessionView): string {
  const end = one.endedAt === null
    ? []
    : [["ended", `${localTime(one.endedAt)} (${took(one, one.endedAt)})`] as const];
  return plain(pairs([
    ["session", one.id],
    ["agent", `${one.agent} (${one.project})`],
    ["state", one.exitCode === null ? one.state : `${one.state}, exit code ${one.exitCode}`],
    ...(one.reason === null ? [] : [["why", one.reason] as const]),
    ["sandbox", one.driver],
    ["started", localTime(one.startedAt)],
    ...end,
    ["services", count(one.calls, "call")],
  ]));
}

/** How long it has run, or ran. */
export function took(one: SessionView, now: number): string {
  return duration(Math.max(0, (one.endedAt ?? now) - one.startedAt));
}
