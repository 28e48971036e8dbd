import { errorText, type Json } from "../../base/mod.ts";
import type { EffectRow, LoggedError } from "../../store/mod.ts";
import type { ExecutionSnapshot, Invocation } from "../../wire/mod.ts";
import { Definitions } from "../definitions.ts";
import { HostFailure, type HostRun, type ThreadHost } from "../ports.ts";
import { answerCall } from "../state/calls.ts";
import type { RunContext, ToolRunner } from "../state/context.ts";
import { threadOf } from "../state/messages.ts";
import { ActiveTurn } from "./active_turn.ts";
import { wireMessage } from "./append.ts";
import { snapshotOf } from "./children.ts";
import type { Engine } from "./engine.ts";
import { runLogged } from "./logged_tool.ts";
import { runOnce } from "./not_begun.ts";
import type { TurnEnd } from "./turns.ts";

const NEVER = new AbortController().signal;

/** The context of what a turn's side does itself. */
export function turnContext(engine: Engine, tools: ToolRunner, turn: ActiveTurn): RunContext {
  return {
    engine,
    project: turn.project,
    thread: turn.thread.id,
    host: turn.host,
    definitions: turn.definitions,
    agent: turn.agent,
    turn,
    effect: undefined,
    prompt: turn.turn.backing === "prompt" ? turn.turn.name : undefined,
    uses: undefined,
    signal: turn.signal,
    tools,
    queued: [],
    depth: 0,
  };
}

/** The context of what runs outside of turns: effects, hooks at rest. @throws {HandlerError} `not_found` */
export function restContext(
  engine: Engine,
  tools: ToolRunner,
  host: ThreadHost,
  thread: string,
  effect: RunContext["effect"],
): RunContext {
  const row = threadOf(engine.ports.store, thread);
  const definitions = Definitions.of(host.definitions);
  return {
    engine,
    project: row.project,
    thread,
    host,
    definitions,
    agent: definitions.agent(row.agent),
    turn: undefined,
    effect,
    prompt: undefined,
    uses: undefined,
    signal: NEVER,
    tools,
    queued: [],
    depth: 0,
  };
}

/**
 * Runs a function of the project in its host for a thread, and answers what it asks meanwhile. What it queued with
 * `queueTool` is run after it.
 * @throws {HostFailure} what it threw, or how its host ended
 */
export async function runFunction(context: RunContext, what: Invocation): Promise<Json | undefined> {
  const { project, host, signal, turn, engine: { ports: { clock, hosts, settings } } } = context;
  const limitMs = settings().turnLimitMs;
  const source = { project, host, signal, waits: turn !== undefined, limitMs, clock, hosts };
  const value = await runOnce(source, (one) => runIn(one, context, what));
  if (context.queueForLoop) return value;
  for (let next = context.queued.shift(); next; next = context.queued.shift()) {
    await runLogged(context, next.name, next.args);
  }
  return value;
}

async function runIn(host: ThreadHost, context: RunContext, what: Invocation): Promise<Json | undefined> {
  const { engine, definitions, signal } = context;
  const { store } = engine.ports;
  const snapshot = snapshotOf(store, threadOf(store, context.thread), definitions);
  const run = host.run(what, snapshot, execution(context), (call) => answerCall(context, call));
  const stop = () => run.abort((signal.reason as Error).message);
  const forgetLimit = context.turn ? () => {} : limited(context, run);
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  try {
    return await run.outcome;
  } finally {
    signal.removeEventListener("abort", stop);
    forgetLimit();
  }
}

/** What runs outside of turns, effects and hooks, has as long as a turn. */
function limited({ engine: { ports } }: RunContext, run: HostRun): () => void {
  const { turnLimitMs } = ports.settings();
  return ports.clock.after(turnLimitMs, () => run.abort(`it took more than ${turnLimitMs / 1000} s`));
}

function execution({ turn, prompt }: RunContext): ExecutionSnapshot | null {
  if (!turn) return null;
  const { side, id } = turn.turn;
  return {
    flowId: id,
    currentSide: side,
    stepCount: turn.steps,
    sideAStepCount: side === "a" ? turn.steps : 0,
    sideBStepCount: side === "b" ? turn.steps : 0,
    promptPath: prompt === undefined ? [] : [prompt],
  };
}

/** One invocation of a handler for one message (seed §3, §5). */
export async function runHandler(engine: Engine, tools: ToolRunner, turn: ActiveTurn): Promise<TurnEnd> {
  try {
    const message = wireMessage(turn.message, false);
    await runFunction(turnContext(engine, tools, turn), { kind: "handler", name: turn.turn.name, message });
    return { state: "done", error: null, stopCode: null };
  } catch (error) {
    return failedTurn(error);
  }
}

/** How a turn went whose function threw, or whose process died. */
export function failedTurn(error: unknown): TurnEnd {
  if (error instanceof HostFailure && error.kind === "spun") {
    return { state: "failed", error: logged(error, "turn_limit"), stopCode: null };
  }
  if (error instanceof HostFailure && error.hostEnded) {
    return { state: "interrupted", error: logged(error, "interrupted_incomplete"), stopCode: null };
  }
  return { state: "failed", error: logged(error, "handler_execution_error"), stopCode: null };
}

/** An error as the log has it, of the runtime's origin. */
export function logged(error: unknown, type: string): LoggedError {
  const stack = error instanceof HostFailure ? error.error.stack : undefined;
  return { message: errorText(error), type, origin: "runtime", ...stack !== undefined && { stack } };
}

/** Runs an effect's function in its project's host. @throws what it throws */
export async function runEffect(engine: Engine, tools: ToolRunner, effect: EffectRow): Promise<void> {
  const { project } = threadOf(engine.ports.store, effect.thread);
  const leave = engine.ports.hosts.use(project);
  try {
    const host = engine.ports.hosts.current(project) ?? await engine.ports.hosts.get(project);
    const { id, name } = effect;
    const context = restContext(engine, tools, host, effect.thread, { id, name });
    await runFunction(context, { kind: "effect", name, args: JSON.parse(effect.args), effectId: id });
  } finally {
    leave();
  }
}
