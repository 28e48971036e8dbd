import type { SessionBinding, SideDefinition } from "../../wire/mod.ts";

/** Steps of a turn that nothing else bounds; a side's own larger `maxSteps` raises it. */
export const MOST_STEPS = 250;
/** So many failures of one kind in a row end the turn. */
export const MOST_EQUAL_ERRORS = 8;

/** Rounds of calls that tools queue after one step. */
export const MOST_QUEUED = 50;

/** When a model loop ends. */
export interface LoopRules {
  /** Text without a call ends it. */
  readonly stopOnResponse: boolean;
  readonly stopTool: string | undefined;
  /** The argument of the stop tool that becomes a message. */
  readonly stopToolResponseProperty: string | undefined;
  readonly maxSteps: number | undefined;
  readonly sessionStop: SessionBinding | undefined;
  readonly sessionFail: SessionBinding | undefined;
  readonly sessionStatus: SessionBinding | undefined;
}

/**
 * The rules of a side. One that neither stops on a response nor has a stop tool says by that that each answer is a turn:
 * text without a call ends it too, unless `manualStopCondition` leaves the end to a tool's code.
 */
export function rulesOf(side: SideDefinition & { readonly kind: "prompt" }): LoopRules {
  const { manualStopCondition, stopOnResponse, stopTool } = side;
  return {
    stopOnResponse: !manualStopCondition && (stopOnResponse || stopTool === undefined),
    stopTool,
    stopToolResponseProperty: side.stopToolResponseProperty,
    maxSteps: side.maxSteps,
    sessionStop: side.sessionStop,
    sessionFail: side.sessionFail,
    sessionStatus: side.sessionStatus,
  };
}

/** The rules of a sub-prompt: it is called once and answers once. */
export const ONE_SHOT: LoopRules = {
  stopOnResponse: true,
  stopTool: undefined,
  stopToolResponseProperty: undefined,
  maxSteps: undefined,
  sessionStop: undefined,
  sessionFail: undefined,
  sessionStatus: undefined,
};

/** The steps of a turn, those of its sub-prompts too. */
export interface StepBudget {
  taken: number;
  readonly most: number;
}

/** The budget of a turn whose side has these rules. */
export function budgetOf(rules: LoopRules): StepBudget {
  return { taken: 0, most: Math.max(MOST_STEPS, rules.maxSteps ?? 0) };
}
