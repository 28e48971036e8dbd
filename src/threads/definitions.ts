import { HandlerError, nearest } from "../base/mod.ts";
import type {
  AgentDefinition,
  DefinitionSet,
  EffectDefinition,
  HandlerDefinition,
  HookDefinition,
  ModelDefinition,
  PromptDefinition,
  SideDefinition,
  ToolDefinition,
} from "../wire/mod.ts";
import type { Side } from "../store/mod.ts";

/** A project's definitions by name. */
export class Definitions {
  readonly agents: ReadonlyMap<string, AgentDefinition>;
  readonly prompts: ReadonlyMap<string, PromptDefinition>;
  readonly models: ReadonlyMap<string, ModelDefinition>;
  readonly tools: ReadonlyMap<string, ToolDefinition>;
  readonly hooks: ReadonlyMap<string, HookDefinition>;
  readonly effects: ReadonlyMap<string, EffectDefinition>;
  readonly handlers: ReadonlyMap<string, HandlerDefinition>;

  private constructor(set: DefinitionSet) {
    this.agents = byName(set.agents);
    this.prompts = byName(set.prompts);
    this.models = byName(set.models);
    this.tools = byName(set.tools);
    this.hooks = new Map(set.hooks.map((hook) => [hook.id, hook]));
    this.effects = byName(set.effects);
    this.handlers = byName(set.handlers);
  }

  /** The same object for the same set. */
  static of(set: DefinitionSet): Definitions {
    let known = indexed.get(set);
    if (!known) indexed.set(set, known = new Definitions(set));
    return known;
  }

  /** @throws {HandlerError} `not_found` with the nearest name */
  agent(name: string): AgentDefinition {
    return found("agent", this.agents, name);
  }

  /** @throws {HandlerError} `not_found` with the nearest name */
  prompt(name: string): PromptDefinition {
    return found("prompt", this.prompts, name);
  }
}

const indexed = new WeakMap<DefinitionSet, Definitions>();

function byName<T extends { readonly name: string }>(list: readonly T[]): ReadonlyMap<string, T> {
  return new Map(list.map((one) => [one.name, one]));
}

/** @throws {HandlerError} `not_found` with the nearest name */
export function found<T>(kind: string, map: ReadonlyMap<string, T>, name: string): T {
  const one = map.get(name);
  if (one !== undefined) return one;
  const near = nearest(name, [...map.keys()]);
  throw new HandlerError("not_found", `the project defines no ${kind} "${name}"`, {
    ...near === undefined ? {} : { hint: `the nearest name is "${near}"` },
  });
}

/** How a side of an agent is backed. */
export function sideOf(agent: AgentDefinition, side: Side): SideDefinition {
  return side === "a" ? agent.sideA : agent.sideB;
}

/** The other side. */
export function siblingOf(side: Side): Side {
  return side === "a" ? "b" : "a";
}

/** The role that a side acts on (threads.md §4.2). */
export function inboundRole(side: Side): "user" | "assistant" {
  return side === "a" ? "user" : "assistant";
}

/** The role that a side writes. */
export function ownRole(side: Side): "user" | "assistant" {
  return side === "a" ? "assistant" : "user";
}

/** The side that a person takes, if one does. */
export function humanSide(agent: AgentDefinition): Side | undefined {
  if (agent.sideA.kind === "human") return "a";
  return agent.sideB.kind === "human" ? "b" : undefined;
}
