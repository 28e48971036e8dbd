import { HandlerError, type Json } from "../../base/mod.ts";
import { runLogged } from "../engine/logged_tool.ts";
import { objectArgument, type StateMethod, textArgument } from "./context.ts";

/** Tools as code calls them (threads.md §3.2): any kind, whatever the prompt's own list says. */
export const TOOL_METHODS: Readonly<Record<string, StateMethod>> = {
  async invokeTool(context, id, [name, args]) {
    own("invokeTool", context.thread, id);
    const tool = textArgument("invokeTool", "the name", name);
    return await runLogged(context, tool, objectArgument("invokeTool", "the arguments", args));
  },

  queueTool(context, id, [name, args]) {
    own("queueTool", context.thread, id);
    const tool = textArgument("queueTool", "the name", name);
    if (context.uses && !context.uses.includes(tool)) {
      const list = context.uses.join(", ") || "none";
      throw new HandlerError("denied", `state.queueTool: the tool that queues "${tool}" may use: ${list}`);
    }
    context.queued.push({ name: tool, args: objectArgument("queueTool", "the arguments", args) as Json });
    return undefined;
  },
};

function own(method: string, origin: string, thread: string): void {
  if (origin === thread) return;
  throw new HandlerError(
    "denied",
    `state.${method}: a tool runs for the thread whose code calls it, not for ${thread}`,
  );
}
