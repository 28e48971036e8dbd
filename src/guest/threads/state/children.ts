import type { ThreadState } from "../../spec/state.ts";
import type { ThreadSnapshot } from "../../../wire/mod.ts";
import type { Methods } from "./methods.ts";
import { ask, type Place } from "./place.ts";

type Names =
  | "notifyParent"
  | "setStatus"
  | "stopSession"
  | "getChildThread"
  | "getParentThread"
  | "terminate"
  | "runAgent";

/** A thread's life, its parent and its children. `stateAt` makes the ThreadState of another place. */
export function lifeMethods(stateAt: (place: Place) => ThreadState): Methods<Names> {
  const other = async (at: Place, method: string, ...args: readonly unknown[]) => {
    const thread = await ask(at, method, ...args) as unknown as ThreadSnapshot | null | undefined;
    return thread ? stateAt({ ...at, thread, isOwn: thread.threadId === at.run.thread.threadId }) : null;
  };
  return {
    notifyParent: (at) => async (content) => void await ask(at, "notifyParent", content),
    setStatus: (at) => async (status) => void await ask(at, "setStatus", status),
    stopSession: (at) => async (options) => void await ask(at, "stopSession", options ?? {}),
    getChildThread: (at) => (reference) => other(at, "getChildThread", reference),
    getParentThread: (at) => () => other(at, "getParentThread"),
    terminate: (at) => async () => void await ask(at, "terminate"),
    runAgent: (at) => async (agent) => void await ask(at, "runAgent", agent),
  };
}
