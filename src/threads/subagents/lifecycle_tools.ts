import type { JsonObject } from "../../base/mod.ts";
import type { SubagentEntry } from "../../wire/mod.ts";
import type { ToolText } from "../prompt/system_text.ts";
import { descriptionOf, type ParentView, requiredSchema } from "./plan.ts";
import { liveOf, visibleOf } from "./relationships.ts";

/** The tools that prompt sides have for their children without naming them (threads.md §7.3). */
export const CREATE = "subagent_create", MESSAGE = "subagent_message", LIST = "subagents";

const ATTACHMENTS = {
  type: "array",
  items: { type: "string" },
  description: "paths of files of this thread to send along, such as /attachments/scan.pdf; [] for none",
};

/** Which of them a side is offered now. */
export function lifecycleTools(parent: ParentView): readonly ToolText[] {
  const visible = visibleOf(parent.agent, parent.side, parent.env);
  const live = liveChildren(parent);
  if (visible.length === 0 && live.length === 0) return [];
  return [
    ...visible.length === 0 ? [] : [createTool(parent)],
    ...live.length === 0 ? [] : [messageTool(live)],
    { name: LIST, description: "List your subagents with their state.", parameters: object({}, []) },
  ];
}

/** The children of a side that its model may know of. */
export function liveChildren(parent: ParentView): readonly SubagentEntry[] {
  return visibleOf(parent.agent, parent.side, parent.env).flatMap((owned) => liveOf(parent.children, owned));
}

function createTool(parent: ParentView): ToolText {
  const visible = visibleOf(parent.agent, parent.side, parent.env);
  const lines = visible.map((owned) => {
    const { relationship } = owned;
    const agent = parent.definitions.agents.get(relationship.agent);
    const schema = agent && requiredSchema(parent.definitions, agent);
    const cap = relationship.maxInstances === undefined
      ? ""
      : `, at most ${relationship.maxInstances} at a time`;
    return `- ${relationship.as}: ${descriptionOf(parent.definitions, owned)} (${
      relationship.blocking ? "you get its result at once" : "it works on its own, its answer comes later"
    }${cap})${schema === undefined ? "" : `; its arguments: ${JSON.stringify(schema)}`}`;
  });
  return {
    name: CREATE,
    description: `Start a subagent. There are:\n${lines.join("\n")}`,
    parameters: object({
      agent: { type: "string", enum: visible.map(({ relationship }) => relationship.as) },
      message: { type: "string", minLength: 1, description: "what it is to do" },
      attachments: ATTACHMENTS,
      name: { type: "string", minLength: 1, description: "a short name to know it by" },
      arguments: { type: "object", description: "its arguments, where it takes any" },
    }, ["agent", "message", "attachments", "name"]),
  };
}

function messageTool(live: readonly SubagentEntry[]): ToolText {
  return {
    name: MESSAGE,
    description: "Send a message to a subagent of yours.",
    parameters: object({
      referenceId: { type: "string", enum: live.map((child) => child.reference) },
      message: { type: "string", minLength: 1 },
      attachments: ATTACHMENTS,
    }, ["referenceId", "message", "attachments"]),
  };
}

/** Children as a model reads them. */
export function childrenText(children: readonly SubagentEntry[]): string {
  return JSON.stringify(children.map((child) => ({
    referenceId: child.reference,
    agent: child.relationship,
    name: child.threadName ?? child.title ?? child.name,
    description: child.description,
    status: child.status,
  })));
}

function object(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: "object", additionalProperties: false, required, properties };
}
