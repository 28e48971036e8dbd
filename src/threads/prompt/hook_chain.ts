import { errorText, type Json } from "../../base/mod.ts";
import type { AgentDefinition, HookDefinition } from "../../wire/mod.ts";
import type { Definitions } from "../definitions.ts";
import { HostFailure } from "../ports.ts";

/** Where hooks are looked for. */
export interface HookPlace {
  readonly definitions: Definitions;
  readonly agent: AgentDefinition;
  /** The prompt that is active; undefined for what happens outside of one. */
  readonly prompt: string | undefined;
}

/** A hook that is to run, and for whom. */
export interface ChosenHook {
  readonly id: string;
  /** The context's `source`. */
  readonly source: Json;
}

/**
 * The hooks of a kind, in order (threads.md §2.6): those of children that come before, then the prompt's own or, where it
 * lists none, the agent's, then those of children that come after; relationships of side A before side B's.
 */
export function chooseHooks(place: HookPlace, kind: string): readonly ChosenHook[] {
  const { definitions, agent } = place;
  if (definitions.hooks.size === 0) return [];
  const isKind = (id: string) => definitions.hooks.get(id)?.hook === kind;
  const children = childHooks(place).filter(({ id }) => isKind(id));
  return [
    ...children.filter(({ stage }) => stage === "before_parent"),
    ...baseHooks(place).filter(({ id }) => isKind(id)),
    ...children.filter(({ stage }) => stage === "after_parent"),
  ].map(({ id, source }) => ({ id, source: source ?? { kind: "agent", agentName: agent.name } }));
}

function baseHooks({ definitions, agent, prompt }: HookPlace): readonly ChosenHook[] {
  const own = prompt === undefined ? [] : definitions.prompts.get(prompt)?.hooks ?? [];
  if (own.length > 0) return own.map((id) => ({ id, source: { kind: "prompt", promptName: prompt! } }));
  return agent.hooks.map((id) => ({ id, source: { kind: "agent", agentName: agent.name } }));
}

function childHooks({ definitions, agent }: HookPlace) {
  return [agent.sideA, agent.sideB].flatMap((side) => side.subagents).flatMap((relationship) => {
    const source = { kind: "child", relationshipName: relationship.as, agentName: relationship.agent };
    const hooks = definitions.agents.get(relationship.agent)?.parentHooks ?? [];
    return hooks.map(({ hook, stage }) => ({ id: hook, stage, source }));
  });
}

/** How hooks are run, and what becomes of their failures. */
export interface HookRunner {
  /** Runs one. @throws {HostFailure} what it throws */
  run(hook: ChosenHook, args: readonly Json[]): Promise<Json | undefined>;
  /** Puts a failure into the log. */
  failed(hook: ChosenHook, error: string): Promise<void>;
}

/** A hook that has said that the run must not go on. */
export class HookBlock extends Error {
  override readonly name = "HookBlock";
  readonly hook: string;

  constructor(hook: string, reason: string) {
    super(reason);
    this.hook = hook;
  }
}

/** The one kind whose hooks may keep a model from being called. */
const MAY_BLOCK = "prefilter_llm_history";

/** The hooks around one thing that happens. */
export class HookChain {
  readonly #place: HookPlace;
  readonly #runner: HookRunner;

  constructor(parts: { readonly place: HookPlace; readonly runner: HookRunner }) {
    this.#place = parts.place;
    this.#runner = parts.runner;
  }

  /** Whether there is one of a kind, so that nobody makes arguments for nothing. */
  has(kind: HookDefinition["hook"]): boolean {
    return chooseHooks(this.#place, kind).length > 0;
  }

  /** Tells hooks of something; what they give does not count. */
  async tell(kind: string, ...args: readonly Json[]): Promise<void> {
    for (const hook of chooseHooks(this.#place, kind)) await this.#one(hook, args, false);
  }

  /**
   * Passes a value through the hooks of a kind: `before` and the value are what each is given. One that fails, or gives
   * nothing or what `fits` refuses, leaves the value as it was; `null` counts where `fits` takes it.
   *
   * @throws {HookBlock} where a hook says so
   */
  async through<T extends Json>(
    kind: string,
    value: T,
    fits: (given: Json) => boolean,
    before: readonly Json[] = [],
  ): Promise<T | null> {
    let current: T | null = value;
    for (const hook of chooseHooks(this.#place, kind)) {
      if (current === null) break;
      const given = await this.#one(hook, [...before, current], kind === MAY_BLOCK);
      if (given === undefined) continue;
      if (fits(given)) current = given as T | null;
      else if (given !== null) await this.#runner.failed(hook, `it gave what a ${kind} hook cannot give`);
    }
    return current;
  }

  /** The same, but what a hook throws ends it. @throws {HostFailure} what a hook throws */
  async throughOrThrow<T extends Json>(kind: string, value: T, fits: (given: Json) => boolean): Promise<T> {
    let current = value;
    for (const hook of chooseHooks(this.#place, kind)) {
      const given = await this.#runner.run(hook, [current]);
      if (given !== undefined && fits(given)) current = given as T;
    }
    return current;
  }

  async #one(hook: ChosenHook, args: readonly Json[], mayBlock: boolean): Promise<Json | undefined> {
    try {
      return await this.#runner.run(hook, args);
    } catch (error) {
      if (error instanceof HostFailure && error.hostEnded) throw error;
      await this.#runner.failed(hook, errorText(error));
      if (mayBlock && error instanceof HostFailure && error.error.block === true) {
        throw new HookBlock(hook.id, error.message);
      }
      return undefined;
    }
  }
}
