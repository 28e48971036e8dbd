import type { SessionView } from "$client";
import { hasText, t } from "$texts";

/** Whether a session has ended, however. */
export function isOver({ endedAt }: SessionView): boolean {
  return endedAt !== null;
}

/** A session's state in words. */
export function sessionState({ state }: SessionView): string {
  const key = `agents.state.${state}`;
  return hasText(key) ? t(key) : state;
}

/** How a session's state looks. */
export function sessionTone(session: SessionView): "good" | "bad" | "plain" {
  if (!isOver(session)) return "good";
  return session.exitCode === 0 || session.exitCode === null ? "plain" : "bad";
}
