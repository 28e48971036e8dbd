import type { ExecutionState } from "../../spec/state.ts";
import type { Run } from "../run.ts";

/** The turn under way; null in an effect. */
export function executionOf(run: Run): ExecutionState | null {
  const { execution, thread } = run;
  if (execution === null) return null;
  return {
    ...execution,
    promptPath: [...execution.promptPath],
    messageHistory: [],
    get stopped() {
      return run.stopped || run.signal.aborted;
    },
    get abortSignal() {
      return run.signal;
    },
    forceTurn: (side) => run.fire(thread.threadId, "forceTurn", [side]),
    stop() {
      run.stopped = true;
      run.fire(thread.threadId, "stop", []);
    },
  };
}
