import type { ThreadRow, TurnRow } from "$client";
import { t } from "$texts";

/** How a thread's state looks. */
export function threadTone(
  { status }: Pick<ThreadRow, "status">,
): "plain" | "good" | "warn" | "bad" | "accent" {
  const tones = {
    idle: "plain",
    running: "good",
    awaiting_human: "accent",
    failed: "bad",
    terminated: "plain",
  } as const;
  return tones[status];
}

/** A thread's state in words. */
export function threadState({ status, stopped }: Pick<ThreadRow, "status" | "stopped">): string {
  return stopped && status !== "terminated" ? t("threads.stopped") : t(`threads.status.${status}`);
}

/** What a thread is called: its title, else its agent. */
export function threadTitle({ title, agent }: Pick<ThreadRow, "title" | "agent">): string {
  return title ?? agent;
}

/** Whose a thread is, beside its title. */
export function threadOf({ title, agent, project }: Pick<ThreadRow, "title" | "agent" | "project">): string {
  return title === null ? t("threads.in", { project }) : t("threads.of", { agent, project });
}

/** How a turn's state looks. */
export function turnTone({ state }: Pick<TurnRow, "state">): "plain" | "good" | "warn" | "bad" {
  const tones = {
    running: "good",
    done: "plain",
    failed: "bad",
    interrupted: "warn",
    aborted: "warn",
  } as const;
  return tones[state];
}

/** Where a thread's export is downloaded. */
export function exportHref(id: string): string {
  return `/v1/threads/${encodeURIComponent(id)}/export`;
}
