import { isObject, type Json, type JsonObject, nearest } from "../../base/mod.ts";
import type { EnvRow, Side } from "../../store/mod.ts";
import type { AgentDefinition, SubagentEntry } from "../../wire/mod.ts";
import { type Definitions, sideOf } from "../definitions.ts";
import { isEnabled } from "../engine/children.ts";
import { checkArguments } from "../tools/check_arguments.ts";
import { failure, type ToolResult } from "../tools/tool_result.ts";
import { childEnv, scopedVariables } from "./child_env.ts";
import { type EnvOf, liveOf, type OwnedRelationship, relationshipsOf } from "./relationships.ts";

/** What a thread has that decides about its children. */
export interface ParentView {
  readonly definitions: Definitions;
  readonly agent: AgentDefinition;
  /** The side that acts: its relationships are looked at first. */
  readonly side: Side;
  readonly children: readonly SubagentEntry[];
  /** The thread's own variables. */
  readonly threadEnv: readonly EnvRow[];
  readonly env: EnvOf;
}

/** What is asked for: the arguments of `subagent_create`. */
export interface CreateRequest {
  /** A relationship's name, or its agent's. */
  readonly agent: string;
  readonly message: string;
  readonly attachments: readonly string[];
  readonly name: string;
  readonly arguments: JsonObject;
}

/** A child that is to be made. */
export interface NewChild extends OwnedRelationship {
  /** What it is called; null for the relationship's own name. */
  readonly title: string | null;
  readonly description: string;
  readonly arguments: JsonObject;
  readonly env: readonly EnvRow[];
}

/** What comes of a request. */
export type CreatePlan =
  | {
    readonly kind: "create";
    readonly child: NewChild;
    readonly message: string;
    readonly attachments: readonly string[];
  }
  /** The one instance that there may be is there: it is given the message. */
  | {
    readonly kind: "continue";
    readonly child: SubagentEntry;
    readonly message: string;
    readonly attachments: readonly string[];
  }
  | { readonly kind: "refused"; readonly result: ToolResult };

/** Decides about a request for a child (threads.md §7.4, §7.5). */
export function planCreate(parent: ParentView, request: CreateRequest): CreatePlan {
  const owned = resolve(parent, request.agent);
  if (!owned) return refused(unknownRelationship(parent, request.agent));
  const { relationship } = owned;
  const agent = parent.definitions.agents.get(relationship.agent);
  if (!agent?.exposeAsTool) {
    return refused(failure(`the agent "${relationship.agent}" does not set exposeAsTool`, "not_exposed"));
  }
  const problem = checkArguments(
    relationship.as,
    requiredSchema(parent.definitions, agent),
    request.arguments,
  );
  if (problem) return refused(problem);
  const first = firstMessage(request, owned);
  const live = liveOf(parent.children, owned);
  if (live.length >= (relationship.maxInstances ?? Infinity)) {
    const [only] = live;
    if (relationship.blocking && relationship.maxInstances === 1 && only) {
      return { kind: "continue", child: only, ...first };
    }
    return refused(atTheCap(owned, live));
  }
  const child = newChild(parent, owned, first.title, request.arguments);
  return "status" in child
    ? refused(child)
    : { kind: "create", child, message: first.message, attachments: first.attachments };
}

/** A child to be made, or why it cannot be: variables that it needs are missing. */
function newChild(
  parent: ParentView,
  owned: OwnedRelationship,
  title: string | null,
  args: JsonObject,
): NewChild | ToolResult {
  const { relationship } = owned;
  const scoped = scopedVariables(parent.definitions, relationship.agent);
  const { rows, missing } = childEnv({ scoped, relationship, inherited: parent.threadEnv, env: parent.env });
  if (missing.length > 0) {
    const text = `the subagent "${relationship.as}" needs ${missing.join(", ")}, which nothing sets`;
    return failure(text, "subagent_env_required", { variables: missing });
  }
  return {
    ...owned,
    title,
    description: descriptionOf(parent.definitions, owned),
    arguments: args,
    env: rows,
  };
}

/** What a relationship is for, in words. */
export function descriptionOf(definitions: Definitions, { relationship }: OwnedRelationship): string {
  const agent = definitions.agents.get(relationship.agent);
  return relationship.description ?? agent?.toolDescription ?? agent?.description ?? "";
}

/** The schema of an agent's arguments: that of side A's prompt. */
export function requiredSchema(definitions: Definitions, agent: AgentDefinition): Json | undefined {
  const side = sideOf(agent, "a");
  return side.kind === "prompt" ? definitions.prompts.get(side.prompt)?.requiredSchema : undefined;
}

/** The relationship that a name means, on the side that acts before the other; `as` counts before the agent's name. */
export function resolve(parent: ParentView, name: string): OwnedRelationship | undefined {
  const enabled = relationshipsOf(parent.agent, parent.side)
    .filter(({ relationship }) => isEnabled(relationship, parent.env));
  return enabled.find(({ relationship }) => relationship.as === name) ??
    enabled.find(({ relationship }) => relationship.agent === name);
}

function unknownRelationship(parent: ParentView, name: string): ToolResult {
  const names = relationshipsOf(parent.agent, parent.side)
    .filter(({ relationship }) => !relationship.hidden && isEnabled(relationship, parent.env))
    .map(({ relationship }) => relationship.as);
  const near = nearest(name, names);
  const known = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
  const hint = near === undefined ? "" : `; did you mean "${near}"?`;
  return failure(`this agent declares no subagent "${name}": ${known}${hint}`, "unknown_subagent");
}

function atTheCap({ relationship }: OwnedRelationship, live: readonly SubagentEntry[]): ToolResult {
  const references = live.map((child) => child.reference);
  return failure(
    `"${relationship.as}" may have ${relationship.maxInstances} at a time, and has: ${
      references.join(", ")
    }; ` +
      "send one of them a message instead",
    "max_instances",
    { references },
  );
}

/** What the child is told first, from the request or from the arguments that the relationship names. */
function firstMessage(request: CreateRequest, { relationship }: OwnedRelationship) {
  const named = (property: string | undefined): Json | undefined =>
    property === undefined ? undefined : request.arguments[property];
  const text = (value: Json | undefined, other: string) =>
    typeof value === "string" && value.trim() !== "" ? value : other;
  const title = text(named(relationship.initAgentNameProperty), request.name);
  return {
    message: text(named(relationship.initUserMessageProperty), request.message),
    attachments: paths(named(relationship.initAttachmentsProperty)) ?? request.attachments,
    title: title === "" ? null : title,
  };
}

/** The paths in an argument: one, or a list of them, as texts or as records with a path. */
export function paths(value: Json | undefined): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const list: readonly Json[] = Array.isArray(value) ? value : [value as Json];
  return list.flatMap((entry) => {
    const path = isObject(entry) ? (entry as JsonObject)["path"] : entry;
    return typeof path === "string" && path !== "" ? [path] : [];
  });
}

function refused(result: ToolResult): CreatePlan {
  return { kind: "refused", result };
}
