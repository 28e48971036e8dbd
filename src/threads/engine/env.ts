import type { ThreadReads, ThreadRow } from "../../store/mod.ts";
import type { Definitions } from "../definitions.ts";
import type { EnvPlace, ThreadsPorts } from "../ports.ts";

/** A variable and where it was found. */
export interface FoundVariable {
  readonly value: string;
  readonly type: "text" | "secret";
  readonly place: EnvPlace;
}

/** Where variables come from. */
export interface EnvSources {
  readonly ports: ThreadsPorts;
  readonly definitions: Definitions;
  /** The prompt whose turn or tool it is. */
  readonly prompt: string | undefined;
}

/** A variable of a thread, from the first place of the configured order that has it. */
export function findVariable(
  reads: ThreadReads,
  { ports, definitions, prompt }: EnvSources,
  thread: ThreadRow,
  name: string,
): FoundVariable | undefined {
  for (const place of ports.settings().envOrder) {
    const found = look(place);
    if (found !== undefined) return { ...found, place };
  }
  return undefined;

  function look(place: EnvPlace): Pick<FoundVariable, "value" | "type"> | undefined {
    if (place === "thread") return reads.env(thread.id).find((row) => row.name === name);
    const value = valuesOf(place)?.[name];
    return value === undefined ? undefined : { value, type: place === "account" ? "secret" : "text" };
  }

  function valuesOf(place: EnvPlace): Readonly<Record<string, string>> | undefined {
    if (place === "account") return ports.accountEnv(thread.person);
    if (place === "instance") return ports.instanceEnv(thread.project);
    if (place === "agent") return definitions.agents.get(thread.agent)?.env;
    return prompt === undefined ? undefined : definitions.prompts.get(prompt)?.env;
  }
}
