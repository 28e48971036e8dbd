import { isObject, type Json, type JsonObject } from "../../base/mod.ts";
import type { AgentDefinition, PromptDefinition, PromptTool, ToolDefinition } from "../../wire/mod.ts";
import { sideOf } from "../definitions.ts";
import type { ServiceTool } from "../ports.ts";
import type { ToolText } from "../prompt/system_text.ts";
import { lifecycleTools } from "../subagents/lifecycle_tools.ts";
import { type ParentView, requiredSchema } from "../subagents/plan.ts";
import { isEnabled } from "../engine/children.ts";
import { relationshipsOf } from "../subagents/relationships.ts";

/** What stands behind a tool's name. */
export type ToolTarget =
  | { readonly kind: "project"; readonly tool: ToolDefinition; readonly entry: PromptTool | undefined }
  | { readonly kind: "prompt"; readonly prompt: PromptDefinition; readonly entry: PromptTool | undefined }
  /** An agent that is a relationship of a side: calling it makes a child. */
  | { readonly kind: "subagent"; readonly relationship: string }
  /** An agent that is none: the thread goes on as it (threads.md §7.4). */
  | { readonly kind: "handoff"; readonly agent: AgentDefinition }
  | { readonly kind: "service"; readonly interfaceId: string; readonly tool: ServiceTool }
  | { readonly kind: "lifecycle" };

/** A tool that a model may call, with what it is told of it. */
export interface OfferedTool extends ToolText {
  readonly target: ToolTarget;
}

/** What decides about the tools of a prompt. */
export interface ToolPlace {
  readonly parent: ParentView;
  readonly prompt: PromptDefinition;
  /** Whether the prompt has a side's turn; a sub-prompt has no children and ends no session. */
  readonly isSide: boolean;
  /** The tools of an interface. @throws {HandlerError} unknown interface */
  serviceTools(interfaceId: string): readonly ServiceTool[];
}

/** The schema of a callable that declares none: one text. */
const MESSAGE: JsonObject = {
  type: "object",
  additionalProperties: false,
  required: ["message"],
  properties: { message: { type: "string", minLength: 1 } },
};
const NOTHING: JsonObject = { type: "object", additionalProperties: false, properties: {} };

/**
 * The tools that a model is offered, each name once: those of its prompt, those that end its side's turns and sessions,
 * the lifecycle tools of its children, and every tool of the services that the prompt names.
 */
export function offeredTools(place: ToolPlace): readonly OfferedTool[] {
  const offered = new Map<string, OfferedTool>();
  const add = (tool: OfferedTool | undefined) => {
    if (tool && !offered.has(tool.name)) offered.set(tool.name, tool);
  };
  for (const entry of place.prompt.tools) add(namedTool(place.parent, entry.name, entry));
  if (place.isSide) {
    for (const name of endingTools(place.parent)) add(namedTool(place.parent, name, undefined));
    for (const tool of lifecycleTools(place.parent)) add({ ...tool, target: { kind: "lifecycle" } });
  }
  for (const interfaceId of place.prompt.services) {
    for (const tool of place.serviceTools(interfaceId)) add(serviceTool(interfaceId, tool));
  }
  return [...offered.values()];
}

/** A tool, prompt or agent of the project by its name. */
export function namedTool(
  parent: ParentView,
  name: string,
  entry: PromptTool | undefined,
): OfferedTool | undefined {
  const { definitions } = parent;
  const tool = definitions.tools.get(name);
  if (tool) {
    const parameters = isObject(tool.args) ? plain(tool.args as JsonObject) : NOTHING;
    return { name, description: tool.description, parameters, target: { kind: "project", tool, entry } };
  }
  const prompt = definitions.prompts.get(name);
  if (prompt) {
    const parameters = schemaOr(prompt.requiredSchema, MESSAGE);
    return {
      name,
      description: prompt.toolDescription,
      parameters,
      target: { kind: "prompt", prompt, entry },
    };
  }
  const agent = definitions.agents.get(name);
  return agent && agentTool(parent, agent);
}

/** A tool of a service under its own name. */
export function serviceTool(interfaceId: string, tool: ServiceTool): OfferedTool {
  return {
    name: tool.name,
    description: `${tool.description} Paths are files of this conversation, such as /attachments/scan.pdf.`,
    parameters: tool.inputSchema,
    target: { kind: "service", interfaceId, tool },
  };
}

function agentTool(parent: ParentView, agent: AgentDefinition): OfferedTool | undefined {
  const { name } = agent;
  const description = agent.toolDescription ?? agent.description ?? name;
  const owned = relationshipsOf(parent.agent, parent.side).find(({ relationship }) =>
    relationship.agent === name
  );
  if (!owned) {
    const parameters = NOTHING;
    return {
      name,
      description: `Hand the conversation over. ${description}`,
      parameters,
      target: { kind: "handoff", agent },
    };
  }
  const { relationship } = owned;
  if (!isEnabled(relationship, parent.env)) return undefined;
  const parameters = schemaOr(requiredSchema(parent.definitions, agent), MESSAGE);
  return { name, description, parameters, target: { kind: "subagent", relationship: relationship.as } };
}

/** What ends a side's turn or session must be callable, whether its prompt lists it or not. */
function endingTools({ agent, side }: ParentView): readonly string[] {
  const backing = sideOf(agent, side);
  if (backing.kind !== "prompt") return [];
  const { stopTool, sessionStop, sessionFail, sessionStatus } = backing;
  return [stopTool, sessionStop?.name, sessionFail?.name, sessionStatus?.name]
    .filter((name) => name !== undefined);
}

function schemaOr(schema: Json | undefined, other: JsonObject): JsonObject {
  return isObject(schema) ? plain(schema as JsonObject) : other;
}

/** Without the dialect's name, which costs tokens in every request. */
function plain({ $schema: _, ...schema }: JsonObject): JsonObject {
  return schema;
}
