import type { DeployReport, DeployStep, JobView } from "$client";

/** The five steps of a deploy, in order. */
export const STEPS = [
  "snapshot",
  "test",
  "backup",
  "rehearse",
  "switch",
] as const satisfies readonly DeployStep["step"][];

/** How far a step is. */
export interface StepView {
  readonly step: DeployStep["step"];
  /** `skipped`: one before it failed. */
  readonly state: "waiting" | "running" | "done" | "failed" | "skipped";
  /** How long it took; null where it has not ended. */
  readonly ms: number | null;
  /** When it began; null where it has not. */
  readonly startedAt: number | null;
  readonly detail: string;
}

/** All five steps, from what a job told on the way. */
export function stepsOf({ progress, startedAt, state }: JobView): readonly StepView[] {
  const told = progress as unknown as readonly DeployStep[];
  let from = startedAt, over = false;
  return STEPS.map((step): StepView => {
    const last = told.findLast((one) => one.step === step);
    if (!last) {
      return {
        step,
        state: over || state !== "running" ? "skipped" : "waiting",
        ms: null,
        startedAt: null,
        detail: "",
      };
    }
    const began = from;
    if (last.state === "started") {
      const broken = state !== "running";
      return { step, state: broken ? "failed" : "running", ms: null, startedAt: began, detail: last.detail };
    }
    from += last.ms;
    over ||= last.state === "failed";
    return { step, state: last.state, ms: last.ms, startedAt: began, detail: last.detail };
  });
}

/** What came of a deploy; null while it is under way, or where it was refused before its first step. */
export function reportOf({ result }: JobView): DeployReport | null {
  return result as unknown as DeployReport | null;
}

/** How many rows of a table a migration would take; a table that goes takes all of its rows. */
export function lostRows({ before, after }: DeployReport["rehearsal"][number]): number {
  return Math.max(0, (before ?? 0) - (after ?? 0));
}
