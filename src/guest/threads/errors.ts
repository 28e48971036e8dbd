import type { WireError } from "../../wire/mod.ts";

const LONGEST_MESSAGE = 16 * 1024;
const LONGEST_STACK = 8 * 1024;

/** What was asked of a thread was refused, in the daemon's words. */
export class StateError extends Error {
  override readonly name: string;
  /** A machine's word for it, such as `subagent_env_required`. */
  readonly code?: string;

  constructor(error: WireError) {
    super(error.message);
    this.name = error.name;
    if (error.code !== undefined) this.code = error.code;
  }
}

/** Arguments that a tool's or effect's schema refuses. */
export class ArgumentsError extends Error {
  override readonly name = "ArgumentsError";
  readonly code = "invalid_arguments";
}

/** Anything thrown, as it crosses; `folder` is cut from the stack's paths. */
export function toWireError(thrown: unknown, folder: string): WireError {
  if (!(thrown instanceof Error)) return { name: "Error", message: cut(textOf(thrown), LONGEST_MESSAGE) };
  const { code, block } = thrown as { readonly code?: unknown; readonly block?: unknown };
  return {
    name: String(thrown.name),
    message: cut(String(thrown.message), LONGEST_MESSAGE),
    ...(typeof thrown.stack === "string" ? { stack: stackOf(thrown.stack, folder) } : {}),
    ...(typeof code === "string" ? { code } : {}),
    ...(block === true ? { block } : {}),
  };
}

function stackOf(stack: string, folder: string): string {
  return cut(
    stack.replaceAll(`file://${folder}/`, "").replace(/\n[^\n]*\/thread_host\.js:.*/g, ""),
    LONGEST_STACK,
  );
}

function cut(text: string, most: number): string {
  return text.length > most ? text.slice(0, most) + "…" : text;
}

function textOf(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  try {
    return JSON.stringify(thrown) ?? String(thrown);
  } catch {
    return String(thrown);
  }
}
