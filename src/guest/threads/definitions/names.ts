import type { DefinitionKind } from "../../spec/brand.ts";
import { meant, ONLY_A_SIDE } from "../../spec/shape.ts";
import type { Findings, Found } from "./found.ts";
import { aKind, KINDS } from "./kinds.ts";
import type { Reference, Wanted } from "./references.ts";

const CALLABLE: readonly DefinitionKind[] = ["tool", "prompt", "agent"];

/** Tools that prompts are given by the runtime, so nobody else's name. */
export const LIFECYCLE_TOOLS: readonly string[] = ["subagent_create", "subagent_message", "subagents"];

/** A service's tool, or one of a server elsewhere: nothing here knows their names. */
const ELSEWHERE = /^(provider|mcp):|\/v\d/;

/** The names of a project by kind. */
export class Names {
  readonly #findings: Findings;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  find(kind: DefinitionKind, name: string): Found | undefined {
    return this.#findings.all.find((found) => found.kind === kind && found.name === name);
  }

  has(kind: DefinitionKind, name: string): boolean {
    return this.find(kind, name) !== undefined ||
      this.#findings.lost.some((lost) => lost.kind === kind && lost.name === name);
  }

  /** Whether a name is that of a project's tool, prompt or agent. */
  isCallable(name: string): boolean {
    return CALLABLE.some((kind) => this.has(kind, name));
  }

  /** Why a name does not do where it stands; undefined where it does, or where nobody can know. */
  judge({ name, wants }: Reference): string | undefined {
    const kinds = wants === "callable" ? CALLABLE : [wants];
    const fitting = kinds.filter((kind) => this.has(kind, name));
    if (fitting.length > 1) {
      return `"${name}" is the name of ${fitting.map(aKind).join(" and of ")}: one must be called otherwise`;
    }
    if (fitting.length === 1) return undefined;
    if (wants === "callable" && (LIFECYCLE_TOOLS.includes(name) || ELSEWHERE.test(name))) return undefined;
    const other = KINDS.find(({ kind }) => this.has(kind, name))?.kind;
    if (other === "handler") return `"${name}" is a handler: ${ONLY_A_SIDE}`;
    if (wants === "model" && this.#of(kinds).length === 0) return undefined;
    if (other) return `"${name}" is ${aKind(other)}, not ${WORDS[wants]}`;
    if (kinds.some((kind) => this.#findings.unread.has(kind))) return undefined;
    return `there is no ${UNKNOWN[wants]} "${name}"${meant(name, this.#of(kinds))}`;
  }

  #of(kinds: readonly DefinitionKind[]): readonly string[] {
    const { all, lost } = this.#findings;
    return [...all, ...lost].filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
  }
}

const WORDS: Readonly<Record<Wanted, string>> = {
  agent: "an agent",
  prompt: "a prompt",
  model: "a model",
  hook: "a hook",
  handler: "a handler",
  callable: "a tool, a prompt or an agent",
};

const UNKNOWN: Readonly<Record<Wanted, string>> = {
  agent: "agent",
  prompt: "prompt",
  model: "model",
  hook: "hook with the id",
  handler: "handler",
  callable: "tool, prompt or agent",
};
