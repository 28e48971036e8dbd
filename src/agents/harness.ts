import { HandlerError } from "../base/mod.ts";
import type { AgentConfig, HarnessName } from "../config/mod.ts";
import type { AgentService } from "./ports.ts";

/** What a harness's configuration is rendered from (contract B.3). Paths are as seen inside. */
export interface RenderContext {
  readonly prompt: string | undefined;
  /** Further words for the program. */
  readonly args: readonly string[];
  readonly services: readonly AgentService[];
  readonly home: string;
  readonly work: string;
}

/** A harness ready to start. */
export interface Rendered {
  /** Files of its configuration: path below the home folder to text. */
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
}

/** A program that drives a model, or any program at all, as an agent (contract B.3). */
export interface Harness {
  render(agent: AgentConfig, context: RenderContext): Rendered;
}

/** The harness `command`: the agent's own words, the run's words behind them, the prompt last and in HANDLER_PROMPT. */
export const commandHarness: Harness = {
  render(agent, { prompt, args }) {
    return {
      files: {},
      env: prompt === undefined ? {} : { HANDLER_PROMPT: prompt },
      argv: [...agent.command, ...args, ...(prompt === undefined ? [] : [prompt])],
    };
  },
};

const HARNESSES: Readonly<Partial<Record<HarnessName, Harness>>> = { command: commandHarness };

/** The harness of an agent that runs in a sandbox. @throws {HandlerError} `usage` for one that this Handler cannot run */
export function harnessOf(agent: AgentConfig): Harness {
  const harness = HARNESSES[agent.harness];
  if (harness) return harness;
  throw new HandlerError(
    "usage",
    `the agent ${agent.name} has the harness ${agent.harness}; this Handler runs command and external`,
    { where: { file: agent.file, key: "harness" } },
  );
}
