import { errorText, HandlerError } from "../../base/mod.ts";
import { registry } from "../engine/children.ts";
import type { StateAnswer, StateCall } from "../ports.ts";
import type { RunContext, StateMethod } from "./context.ts";
import { CONTROL_METHODS } from "./control.ts";
import { FILE_METHODS } from "./files.ts";
import { LOOKUP_METHODS } from "./lookups.ts";
import { MESSAGE_METHODS } from "./messages.ts";
import { TOOL_METHODS } from "./tools.ts";
import { VALUE_METHODS } from "./values.ts";

const METHODS: ReadonlyMap<string, StateMethod> = new Map(Object.entries({
  ...MESSAGE_METHODS,
  ...VALUE_METHODS,
  ...CONTROL_METHODS,
  ...FILE_METHODS,
  ...TOOL_METHODS,
  ...LOOKUP_METHODS,
}));

/** After these the children of the thread may be others. */
const CHANGES_CHILDREN: ReadonlySet<string> = new Set(["invokeTool", "terminate", "runAgent", "setStatus"]);

/**
 * Does what a project's code asks of a thread: of its own one, or of another one of the same project.
 * @throws {HandlerError} what the method says; `denied` for a thread of another project
 */
export async function answerCall(context: RunContext, call: StateCall): Promise<StateAnswer> {
  const method = METHODS.get(call.method);
  if (!method) throw new HandlerError("usage", `state.${call.method} is not there`);
  if (context.signal.aborted) {
    throw new HandlerError("cancelled", `state.${call.method}: ${errorText(context.signal.reason)}`);
  }
  if (call.thread !== context.thread) checkReach(context, call.thread);
  const value = await method(context, call.thread, call.args);
  if (!CHANGES_CHILDREN.has(call.method)) return value === undefined ? {} : { value };
  const children = registry(context.engine.ports.store, context.thread, context.definitions);
  return { ...value !== undefined && { value }, children };
}

function checkReach(context: RunContext, thread: string): void {
  if (context.engine.ports.store.thread(thread)?.project === context.project) return;
  throw new HandlerError("denied", `the thread ${thread} is not one of the project ${context.project}`);
}
