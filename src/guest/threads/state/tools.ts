import type { ScheduledEffect } from "../../spec/state.ts";
import type { ToolResult } from "../../spec/tool.ts";
import { runCode } from "../run_code.ts";
import { checkJson } from "../strict_json.ts";
import type { Methods } from "./methods.ts";
import { ask, fire } from "./place.ts";

type Names =
  | "queueTool"
  | "invokeTool"
  | "scheduleEffect"
  | "getScheduledEffects"
  | "removeScheduledEffect"
  | "emit"
  | "runCode";

/** Tools, effects, events, code. */
export const toolMethods: Methods<Names> = {
  queueTool: (at) => (name, args) => fire(at, "queueTool", name, args ?? {}),
  invokeTool: (at) => async (name, args) =>
    await ask(at, "invokeTool", name, args ?? {}) as unknown as ToolResult,
  scheduleEffect: (at) => async (name, args, delayMs) =>
    await ask(at, "scheduleEffect", name, args ?? {}, delayMs ?? 0) as string,
  getScheduledEffects: (at) => async (name) =>
    await ask(at, "getScheduledEffects", name) as unknown as ScheduledEffect[],
  removeScheduledEffect: (at) => async (id) => await ask(at, "removeScheduledEffect", id) === true,
  emit: (at) => (event, data) => {
    checkJson(data ?? null, "data");
    fire(at, "emit", event, data ?? null);
  },
  runCode: (at) => (source, options) => runCode(source, options ?? {}, at.run),
};
