import type { Json } from "../../base/mod.ts";
import type { RunContext, ToolResult } from "../state/context.ts";
import { appendLog } from "./append.ts";

/** Runs a tool for code, and leaves a row in the thread's log of how it went: no message tells of it. */
export async function runLogged(context: RunContext, name: string, args: Json): Promise<ToolResult> {
  const { engine, thread: id, turn } = context;
  const from = engine.ports.clock.monotonic();
  const result = await context.tools.run(context, name, args);
  const { status, error, error_code: code } = result;
  const failed = status === "error" && {
    message: typeof error === "string" ? error : "the tool failed without a word",
    type: typeof code === "string" ? code : "tool_error",
    origin: `tool:${name}`,
  };
  const latencyMs = Math.round(engine.ports.clock.monotonic() - from);
  await engine.write("process", (tx, acts) => {
    if (!tx.thread(id)) return; // removed meanwhile
    const row = { turn: turn?.turn.id ?? null, kind: "tool_execution", name, latencyMs } as const;
    appendLog(tx, acts, acts.thread(tx, id), { ...row, error: failed || null }, engine.now());
  });
  return result;
}
