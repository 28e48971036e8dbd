import { seen, type Side, type ThreadReads, type ThreadRow } from "../../store/mod.ts";
import type { WireMessage } from "../../wire/mod.ts";
import { inboundRole, ownRole, sideOf } from "../definitions.ts";
import type { ActiveTurn } from "../engine/active_turn.ts";
import { append, wireMessage } from "../engine/append.ts";
import { handOver } from "../engine/children.ts";
import type { Engine } from "../engine/engine.ts";
import { failedTurn, logged, turnContext } from "../engine/functions.ts";
import { markSeen, type TurnEnd } from "../engine/turns.ts";
import { HostFailure } from "../ports.ts";
import type { RunContext } from "../state/context.ts";
import { threadOf } from "../state/messages.ts";
import { parentView } from "../subagents/view.ts";
import { offeredTools } from "../tools/offered.ts";
import type { ThreadTools } from "../tools/thread_tools.ts";
import { commonPorts } from "./context_ports.ts";
import { runLoop } from "./loop.ts";
import type { LoopEnd, LoopPorts } from "./ports.ts";
import { budgetOf, rulesOf } from "./rules.ts";

/** The newest rows that a model is shown; older ones stay in the thread. */
const HISTORY_ROWS = 1000;

/** One turn of a prompt side. Resolves with how it went; never rejects. */
export async function runPromptTurn(engine: Engine, tools: ThreadTools, turn: ActiveTurn): Promise<TurnEnd> {
  const context = turnContext(engine, tools, turn);
  try {
    const backing = sideOf(turn.agent, turn.turn.side);
    if (backing.kind !== "prompt") {
      throw new Error(`side ${turn.turn.side} of ${turn.agent.name} has no prompt`);
    }
    const rules = rulesOf(backing);
    const budget = budgetOf(rules);
    const end = await runLoop(sidePorts(context, tools, turn, budget), rules, budget);
    if (end.handOff !== null) await handOff(context, end.handOff);
    return turnEnd(end);
  } catch (error) {
    if (error instanceof HostFailure) return failedTurn(error);
    return { state: "failed", error: logged(error, "prompt_execution_error"), stopCode: null };
  }
}

function turnEnd({ stopCode, error }: LoopEnd): TurnEnd {
  return { state: error === null ? "done" : "failed", error, stopCode };
}

function sidePorts(
  context: RunContext,
  tools: ThreadTools,
  turn: ActiveTurn,
  budget: ReturnType<typeof budgetOf>,
): LoopPorts {
  const { side } = turn.turn;
  const prompt = context.definitions.prompt(turn.turn.name);
  const { store, services } = context.engine.ports;
  return {
    ...commonPorts(context, prompt, null),
    view: { side, tools: true },
    role: ownRole(side),
    side,
    async begin() {
      turn.steps++;
      await takeWaiting(context, side);
    },
    rows: () => historyRows(store, threadOf(store, context.thread), side),
    before: () => [],
    tools: () =>
      offeredTools({
        parent: parentView(context),
        prompt,
        isSide: true,
        serviceTools: (id) => services.tools(id),
      }),
    queued: () => tools.takeQueued(context),
    call: (tool, call, caller) => tools.callFromLoop(context, { tool, call, caller, budget }),
  };
}

/** Gives the side everything that waits for it. */
async function takeWaiting({ engine, thread }: RunContext, side: Side): Promise<void> {
  const role = inboundRole(side);
  const waits = (reads: ThreadReads, row: ThreadRow) => reads.nextInbound(thread, role, seen(row, side));
  if (!waits(engine.ports.store, threadOf(engine.ports.store, thread))) return;
  await engine.write("power", (tx, acts) => {
    const row = acts.thread(tx, thread);
    for (let next = waits(tx, row); next; next = waits(tx, row)) markSeen(row, side, next.seq);
    acts.changed.add(thread);
  });
}

function historyRows(reads: ThreadReads, thread: ThreadRow, side: Side): readonly WireMessage[] {
  const query = { limit: HISTORY_ROWS, offset: 0, order: "desc", includeSilent: true, maxDepth: 0 } as const;
  const role = inboundRole(side);
  return reads.messages(thread.id, query).toReversed().filter((row) => !row.deleted)
    .map((row) => wireMessage(row, row.role === role && row.seq > seen(thread, side)));
}

/**
 * The thread goes on as another agent, at its side A: a prompt there is told so, and sees what was said before. A handler or
 * a person takes the next message.
 */
async function handOff(
  { engine, thread, definitions, agent: from }: RunContext,
  agent: string,
): Promise<void> {
  await engine.write("process", (tx, acts) => {
    const row = acts.thread(tx, thread);
    handOver(tx, acts, engine.making(definitions), row, agent);
    if (definitions.agent(agent).sideA.kind !== "prompt") return;
    append(tx, acts, row, {
      role: inboundRole("a"),
      content: `[The conversation was handed over from ${from.name} to ${agent}.]`,
      silent: true,
      metadata: { handoff: { from: from.name, to: agent } },
      turn: null,
      hops: row.hops + 1,
    }, engine.now());
  });
}
