import type { SessionRow, Side, ThreadReads, ThreadRow } from "../../store/mod.ts";
import type { AgentDefinition, SideDefinition } from "../../wire/mod.ts";
import { sideOf } from "../definitions.ts";
import type { Acts } from "./acts.ts";
import type { SessionEnd } from "./turns.ts";

/**
 * Whether a session ends because nothing goes on in it: a child that reports by itself, or that somebody waits for, and
 * that no person takes part in. A park for a person is never an end.
 */
export function endsWhenQuiet(thread: ThreadRow, agent: AgentDefinition, awaited: boolean): boolean {
  if (!thread.link || !thread.sessionOpen) return false;
  if (thread.link.communication !== "implicit" && !awaited) return false;
  return agent.sideA.kind !== "human" && agent.sideB.kind !== "human";
}

/** Whether something of a thread's own, an effect or a child at work, will still bring it a message. */
export function isBusyBelow(tx: ThreadReads, acts: Acts, thread: ThreadRow): boolean {
  return tx.pendingEffects(thread.id, 1).length > 0 ||
    tx.processingEffects().some((effect) => effect.thread === thread.id) ||
    tx.children(thread.id).map((child) => acts.latest(child)).some(({ terminatedAt, turn, status }) =>
      terminatedAt === null && (turn !== null || status === "running" || status === "awaiting_human")
    );
}

/**
 * How a session ends that nobody ended: with the last word, or as a failure where a tool should have ended it, or where the
 * last thing in it was a prompt's turn that failed (threads.md §7.2).
 */
export function quietEnd(tx: ThreadReads, thread: ThreadRow, agent: AgentDefinition): SessionEnd {
  const sides: readonly Side[] = ["a", "b"];
  const [last] = tx.turns(thread.id, { limit: 1, offset: 0, order: "desc" });
  if (last?.backing === "prompt" && last.session === thread.session && last.error) {
    return { reason: "quiet", success: false, result: last.error.message };
  }
  if (sides.some((side) => hasBinding(sideOf(agent, side)))) {
    return { reason: "quiet", success: false, result: "The session ended and no terminal tool was called." };
  }
  return { reason: "quiet", success: true, result: lastWord(tx, thread) };
}

/** The text of the last top-level message that has one. */
export function lastWord(tx: ThreadReads, thread: ThreadRow): string {
  const page = { limit: 20, offset: 0, order: "desc", includeSilent: true, maxDepth: 0 } as const;
  const last = tx.messages(thread.id, page).find(({ role, content, turn }) =>
    role !== "tool" && role !== "system" && turn !== null && content !== null && content.trim() !== ""
  );
  return last?.content ?? "";
}

function hasBinding(side: SideDefinition): boolean {
  return side.kind === "prompt" && (side.sessionStop !== undefined || side.sessionFail !== undefined);
}

/** What a parent is told of a session's end. */
export function reportText(child: ThreadRow, session: SessionRow): string {
  const how = session.success ? "finished" : "failed";
  return `Subagent ${child.link?.relationship ?? child.agent} (${child.id}) ${how}: ${session.result ?? ""}`;
}
