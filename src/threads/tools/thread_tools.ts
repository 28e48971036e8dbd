import { errorText, type Json } from "../../base/mod.ts";
import type { WireMessage } from "../../wire/mod.ts";
import { runFunction } from "../engine/functions.ts";
import { HostFailure, type ServiceTool } from "../ports.ts";
import type { ToolCall } from "../prompt/llm_message.ts";
import type { CallOutcome, QueuedCall } from "../prompt/ports.ts";
import { budgetOf, ONE_SHOT, type StepBudget } from "../prompt/rules.ts";
import type { RunContext, ToolResult as CodeResult, ToolRunner } from "../state/context.ts";
import { runLifecycle, type TellCreated } from "../subagents/lifecycle.ts";
import { CREATE, LIST, MESSAGE } from "../subagents/lifecycle_tools.ts";
import { requiredSchema } from "../subagents/plan.ts";
import { parentView } from "../subagents/view.ts";
import { keepAttachments } from "./attachments.ts";
import { checkArguments } from "./check_arguments.ts";
import { namedTool, type OfferedTool, serviceTool, type ToolTarget } from "./offered.ts";
import { callService } from "./service_call.ts";
import { asArguments, runSubPrompt } from "./sub_prompt.ts";
import { asToolResult, failure, success, type ToolResult } from "./tool_result.ts";

/** A call that a model made. */
export interface LoopCall {
  /** Undefined where the model made the name up. */
  readonly tool: OfferedTool | undefined;
  readonly call: ToolCall;
  readonly caller: WireMessage;
  readonly budget: StepBudget;
}

/** One run of a tool. */
interface ToolRun {
  readonly name: string;
  readonly args: Json;
  readonly callId: string | null;
  readonly caller: WireMessage | undefined;
  readonly budget: StepBudget;
}

/** Tools of every kind: the project's own, prompts, agents, services, the lifecycle tools of children. */
export class ThreadTools implements ToolRunner {
  readonly #tellCreated: TellCreated;

  constructor(parts: { readonly tellCreated: TellCreated }) {
    this.#tellCreated = parts.tellCreated;
  }

  /** For code (`invokeTool`, `queueTool`): any tool by its name, whatever a prompt lists. Errors are results. */
  async run(context: RunContext, name: string, args: Json): Promise<CodeResult> {
    try {
      return (await this.#byName(context, name, args)) as unknown as CodeResult;
    } catch (error) {
      return failure(errorText(error), "tool_error") as unknown as CodeResult;
    }
  }

  async #byName(context: RunContext, name: string, args: Json): Promise<ToolResult> {
    if (context.uses && !context.uses.includes(name)) {
      const list = context.uses.join(", ") || "none";
      return failure(`the tool that calls "${name}" may use: ${list}`, "not_in_uses");
    }
    const target = resolveTarget(context, name);
    if (!target) return failure(`the project has no tool "${name}"`, "unknown_tool");
    if (target.kind === "handoff") {
      return failure(
        `the agent "${name}" is no subagent here; a thread is handed over with runAgent`,
        "unknown_subagent",
      );
    }
    return await this.#guarded({ ...context, queueForLoop: false }, target, {
      name,
      args,
      callId: null,
      caller: undefined,
      budget: budgetOf(ONE_SHOT),
    });
  }

  /** For a model. Rejects only where the turn cannot go on: the host died, the turn was aborted. */
  async callFromLoop(outer: RunContext, { tool, call, caller, budget }: LoopCall): Promise<CallOutcome> {
    const context: RunContext = { ...outer, queueForLoop: true };
    if (!tool) return { result: failure(`there is no tool "${call.name}"`, "unknown_tool") };
    const { target } = tool;
    if (target.kind === "handoff") {
      return {
        result: success(`The conversation goes on with ${target.agent.name}.`),
        handOff: target.agent.name,
      };
    }
    const { name, arguments: args, id: callId } = call;
    return { result: await this.#guarded(context, target, { name, args, callId, caller, budget }) };
  }

  /** What tools of a loop have queued in its context since it was asked last. */
  takeQueued(context: RunContext): readonly QueuedCall[] {
    return context.queued.splice(0).map(({ name, args }) => {
      const target = resolveTarget(context, name);
      const tool = target && { name, description: "", parameters: {}, target };
      return { name, arguments: args, tool };
    });
  }

  async #guarded(context: RunContext, target: ToolTarget, run: ToolRun): Promise<ToolResult> {
    try {
      return checkArguments(run.name, schemaOf(context, target), run.args) ??
        await this.#dispatch(context, target, run);
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof HostFailure && error.hostEnded) throw error;
      return thrown(error);
    }
  }

  async #dispatch(context: RunContext, target: ToolTarget, run: ToolRun): Promise<ToolResult> {
    const { name, args } = run;
    switch (target.kind) {
      case "project":
        return await runProjectTool(context, target, run);
      case "prompt":
        return await runSubPrompt(context, {
          prompt: target.prompt,
          entry: target.entry,
          args: asArguments(args),
          caller: run.caller,
          budget: run.budget,
          tools: this,
        });
      case "service":
        return await callService(context, target.interfaceId, target.tool, args);
      case "subagent":
        return await this.#createNamed(context, target.relationship, args);
      case "lifecycle":
        return await runLifecycle(context, name, args, this.#tellCreated);
      case "handoff":
        return failure(`the agent "${name}" is no subagent here`, "unknown_subagent");
    }
  }

  /** An agent that is called by its name: the arguments are its own. */
  async #createNamed(context: RunContext, agent: string, args: Json): Promise<ToolResult> {
    const given = asArguments(args);
    const message = typeof given["message"] === "string" ? given["message"] : JSON.stringify(given);
    const request = { agent, message, name: agent, attachments: [], arguments: given };
    return await runLifecycle(context, CREATE, request, this.#tellCreated);
  }
}

async function runProjectTool(
  context: RunContext,
  { tool, entry }: ToolTarget & { readonly kind: "project" },
  { args, callId }: ToolRun,
): Promise<ToolResult> {
  const queued = context.queueForLoop ? context.queued : [];
  const inner: RunContext = { ...context, uses: tool.uses, queued, toolEnv: entry?.env };
  const value = await runFunction(inner, { kind: "tool", name: tool.name, args, callId });
  const result = asToolResult(value);
  if (!result.attachments || result.attachments.length === 0) return result;
  return { ...result, attachments: await keepAttachments(context, result.attachments) };
}

/** What a name means to code: lifecycle tools, then what the project defines, then tools of services that it names. */
function resolveTarget(context: RunContext, name: string): ToolTarget | undefined {
  if ([CREATE, MESSAGE, LIST].includes(name)) return { kind: "lifecycle" };
  const named = namedTool(parentView(context), name, undefined);
  return named?.target ?? serviceTarget(context, name);
}

function serviceTarget({ definitions, engine }: RunContext, name: string): ToolTarget | undefined {
  const interfaces = new Set([...definitions.prompts.values()].flatMap(({ services }) => services));
  for (const interfaceId of interfaces) {
    const tool: ServiceTool | undefined = engine.ports.services.tools(interfaceId).find((one) =>
      one.name === name
    );
    if (tool) return serviceTool(interfaceId, tool).target;
  }
  return undefined;
}

/** What arguments are held to before anything runs; those of children are held to it where they are made. */
function schemaOf({ definitions }: RunContext, target: ToolTarget): Json | undefined {
  switch (target.kind) {
    case "project":
      return target.tool.args;
    case "prompt":
      return target.prompt.requiredSchema;
    case "handoff":
      return requiredSchema(definitions, target.agent);
    case "service":
      return target.tool.inputSchema;
    default:
      return undefined;
  }
}

function thrown(error: unknown): ToolResult {
  if (!(error instanceof HostFailure)) return failure(errorText(error), "tool_error");
  const { code, stack, message } = error.error;
  return { ...failure(message, code ?? "tool_error"), ...stack === undefined ? {} : { stack } };
}
