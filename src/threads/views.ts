import type { MessageRow, Side, ThreadReads, ThreadRow } from "../store/mod.ts";
import type { AgentDefinition, SideDefinition } from "../wire/mod.ts";
import { wireMessage } from "./engine/append.ts";
import type { ThreadEntry, ThreadKept, ThreadMessage, ThreadSide, ThreadView } from "./facade.ts";

/** Characters of the last word in a list. */
export const LAST_SAID = 200;
/** Rows that are looked through for it. */
const LOOK = 20;

/** A thread as lists show it. */
export function entryOf(reads: ThreadReads, row: ThreadRow): ThreadEntry {
  const newest = { limit: LOOK, offset: 0, order: "desc", includeSilent: false, maxDepth: 0 } as const;
  const last = reads.messages(row.id, newest).find(({ role, content }) =>
    (role === "user" || role === "assistant") && content !== null && content !== ""
  );
  return {
    ...row,
    children: reads.countChildren(row.id),
    last: last
      ? { role: last.role, text: (last.content ?? "").slice(0, LAST_SAID), at: last.createdAt }
      : null,
  };
}

/** A message as clients page through it. */
export function messageOf(row: MessageRow, pending: boolean): ThreadMessage {
  return { ...wireMessage(row, pending), seq: row.seq, turn: row.turn };
}

/** Who is behind the sides: as the agent says, else as the last turns were taken. */
export function sidesOf(
  reads: ThreadReads,
  agent: AgentDefinition | undefined,
  thread: string,
): ThreadView["sides"] {
  if (agent) return { a: ofDefinition(agent.sideA), b: ofDefinition(agent.sideB) };
  const turns = reads.turns(thread, { limit: LOOK, offset: 0, order: "desc" });
  const last = (side: Side): ThreadSide | null => {
    const turn = turns.find((one) => one.side === side);
    return turn
      ? { backing: turn.backing, name: turn.backing === "human" ? null : turn.name, label: null }
      : null;
  };
  return { a: last("a"), b: last("b") };
}

function ofDefinition(side: SideDefinition): ThreadSide {
  const name = side.kind === "human" ? null : side.kind === "prompt" ? side.prompt : side.handler;
  return { backing: side.kind, name, label: side.label ?? null };
}

/** What a thread keeps, without what is secret. */
export function keptOf(reads: ThreadReads, thread: string): ThreadKept {
  return {
    values: reads.values(thread),
    variables: reads.env(thread).map(({ name, type, value }) => ({
      name,
      type,
      value: type === "secret" ? null : value,
    })),
    effects: reads.pendingEffects(thread),
  };
}
