import { newId } from "../../base/mod.ts";
import type { WireMessage } from "../../wire/mod.ts";
import { paths } from "../subagents/plan.ts";
import type { OfferedTool } from "../tools/offered.ts";
import { resultText } from "../tools/tool_result.ts";
import { askStep, StepError, stepRequest } from "./ask_step.ts";
import { argument, type DoneCall, runCall } from "./call_step.ts";
import { HookBlock } from "./hook_chain.ts";
import type { ToolCall } from "./llm_message.ts";
import type { LoopEnd, LoopPorts } from "./ports.ts";
import { Saying } from "./saying.ts";
import { type LoopRules, MOST_EQUAL_ERRORS, MOST_QUEUED, type StepBudget } from "./rules.ts";

/**
 * A model's turn: it is asked, its tools are run, it is asked again, until the rules say that it is done (threads.md §6).
 * Messages that come meanwhile are taken up before each step. Rejects only where the turn cannot go on at all: it was
 * aborted, or the process with the project's code died.
 */
export async function runLoop(ports: LoopPorts, rules: LoopRules, budget: StepBudget): Promise<LoopEnd> {
  const loop = new Loop(ports, rules);
  for (let step = 0;; step++) {
    ports.signal.throwIfAborted();
    if (step >= (rules.maxSteps ?? Infinity)) return loop.end("max_side_steps");
    if (budget.taken >= budget.most) return loop.end("max_total_steps");
    budget.taken++;
    await ports.begin();
    const end = await loop.step();
    if (end) return end;
  }
}

class Loop {
  readonly #ports: LoopPorts;
  readonly #rules: LoopRules;
  #text: string | null = null;
  #lastError: string | undefined;
  #equalErrors = 0;

  constructor(ports: LoopPorts, rules: LoopRules) {
    this.#ports = ports;
    this.#rules = rules;
  }

  end(stopCode: string, more: Partial<LoopEnd> = {}): LoopEnd {
    return { stopCode, error: null, text: this.#text, handOff: null, ...more };
  }

  async step(): Promise<LoopEnd | undefined> {
    const ports = this.#ports;
    const tools = ports.prompt.toolChoice === "none" ? [] : ports.tools();
    const saying = new Saying(ports);
    try {
      const answer = await askStep(ports, await stepRequest(ports, tools), tools, saying);
      ports.signal.throwIfAborted();
      const calls = answer.calls.map((call): ToolCall => ({ id: `call_${newId()}`, ...call }));
      const row = await this.#say(answer.text, calls, saying);
      if (calls.length > 0) {
        const done = await this.#run(tools, calls, row!);
        return await this.#afterCalls([...done, ...await this.#runQueued()]);
      }
      const stopped = ports.stopped();
      if (stopped !== null) return this.end(stopped);
      return this.#rules.stopOnResponse ? this.end("stop_on_response") : undefined;
    } catch (error) {
      if (error instanceof StepError) return this.end("step_error", { error: error.logged });
      if (!(error instanceof HookBlock)) throw error;
      const blocked = { message: error.message, type: "hook_blocked", origin: `hook:${error.hook}` };
      return this.end("hook_blocked", { error: blocked });
    } finally {
      saying.void();
    }
  }

  /** What was told of another text than this one is void. */
  async #say(
    text: string | null,
    calls: readonly ToolCall[],
    saying: Saying,
  ): Promise<WireMessage | undefined> {
    if (text === null) {
      saying.void();
      if (calls.length === 0) return undefined;
    } else {
      this.#text = text;
      saying.whole(text);
    }
    const { role } = this.#ports;
    const toolCalls = calls.length === 0 ? {} : { toolCalls: calls };
    const row = await this.#ports.append({ id: saying.id, role, content: text, ...toolCalls });
    saying.stored();
    return row;
  }

  async #run(
    tools: readonly OfferedTool[],
    calls: readonly ToolCall[],
    row: WireMessage,
  ): Promise<readonly DoneCall[]> {
    const one = (call: ToolCall) =>
      runCall(this.#ports, this.#rules, tools.find((tool) => tool.name === call.name), call, row);
    if (this.#ports.prompt.parallelToolCalls) return await allOf(calls.map(one));
    const done: DoneCall[] = [];
    for (const call of calls) {
      done.push(await one(call));
      if (this.#ports.stopped() !== null) break;
    }
    return done;
  }

  /** What tools have queued is run as calls of the side's own, and so is what that queues, up to a bound. */
  async #runQueued(): Promise<readonly DoneCall[]> {
    const ports = this.#ports;
    const done: DoneCall[] = [];
    for (let round = 0; round < MOST_QUEUED && ports.stopped() === null; round++) {
      const queued = ports.queued();
      if (queued.length === 0) break;
      const toolCalls = queued.map(({ name, arguments: args }) => ({
        id: `call_${newId()}`,
        name,
        arguments: args,
      }));
      const row = await ports.append({ role: ports.role, content: null, toolCalls });
      const tools = queued.flatMap(({ tool }) => tool ? [tool] : []);
      done.push(...await this.#run(tools, toolCalls, row));
    }
    return done;
  }

  async #afterCalls(done: readonly DoneCall[]): Promise<LoopEnd | undefined> {
    const { sessionFail, sessionStop, sessionStatus, stopTool } = this.#rules;
    const ports = this.#ports;
    const good = (name: string | undefined) =>
      done.findLast(({ call, result }) =>
        name !== undefined && call.name === name && result.status === "success"
      );
    const status = good(sessionStatus?.name);
    if (status && resultText(status.result).trim() !== "") await ports.setStatus(resultText(status.result));
    const stopped = ports.stopped();
    if (stopped !== null) return this.end(stopped);
    for (
      const [reason, name] of [["session_fail", sessionFail?.name], [
        "session_stop",
        sessionStop?.name,
      ]] as const
    ) {
      const last = good(name);
      if (!last) continue;
      const files = paths(last.result.attachments) ?? [];
      await ports.endSession(
        { reason, success: reason === "session_stop", result: resultText(last.result) },
        files,
      );
      return this.end(reason);
    }
    const handOff = done.find((one) => one.handOff !== null)?.handOff;
    if (handOff) return this.end("handoff", { handOff });
    const stop = good(stopTool);
    if (stop) return await this.#stopTool(stop);
    return this.#countErrors(done);
  }

  async #stopTool({ call }: DoneCall): Promise<LoopEnd> {
    const property = this.#rules.stopToolResponseProperty;
    const text = property === undefined ? undefined : argument(call, property);
    if (text !== undefined) await this.#say(text, [], new Saying(this.#ports));
    return this.end("stop_tool");
  }

  #countErrors(done: readonly DoneCall[]): LoopEnd | undefined {
    for (const { call, result } of done) {
      const error = result.status === "error"
        ? JSON.stringify([call.name, call.arguments, resultText(result)])
        : undefined;
      this.#equalErrors = error !== undefined && error === this.#lastError
        ? this.#equalErrors + 1
        : error
        ? 1
        : 0;
      this.#lastError = error;
      if (this.#equalErrors < MOST_EQUAL_ERRORS) continue;
      const message = `the same call failed in the same way ${MOST_EQUAL_ERRORS} times in a row: ${
        resultText(result)
      }`;
      const origin = `tool:${call.name}`;
      return this.end("repeated_tool_error", { error: { message, type: "repeated_tool_error", origin } });
    }
    return undefined;
  }
}

/** Waits for all, so that none goes on unseen; then throws what the first one threw. */
async function allOf<T>(work: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(work);
  return await Promise.all(work);
}
