import { HandlerError, isObject, type Json } from "../../base/mod.ts";
import type { AgentDefinition } from "../../wire/mod.ts";
import type { Definitions } from "../definitions.ts";
import type { ActiveTurn } from "../engine/active_turn.ts";
import type { Engine } from "../engine/engine.ts";
import type { ThreadHost } from "../ports.ts";

/** For whom project code runs: what it asks of a thread is judged by this. */
export interface RunContext {
  readonly engine: Engine;
  readonly project: string;
  /** The thread that the code runs for. */
  readonly thread: string;
  readonly host: ThreadHost;
  readonly definitions: Definitions;
  readonly agent: AgentDefinition;
  /** Undefined for effects and for what runs at rest. */
  readonly turn: ActiveTurn | undefined;
  /** The effect that runs. */
  readonly effect: { readonly id: string; readonly name: string } | undefined;
  /** The prompt whose tool runs: its variables come last. */
  readonly prompt: string | undefined;
  /** Variables that the prompt's own list of tools gives to the tool that runs; they come first. */
  readonly toolEnv?: Readonly<Record<string, string>> | undefined;
  /** What a tool may call itself; undefined for anything. */
  readonly uses: readonly string[] | undefined;
  readonly signal: AbortSignal;
  /** Tools and subagents, by name. */
  readonly tools: ToolRunner;
  /** What was queued with `queueTool`; run when the code has ended. */
  readonly queued: QueuedTool[];
  /** Whether a model loop runs what is queued, as calls of its own. */
  readonly queueForLoop?: boolean | undefined;
  /** What the code has asked for so far and nobody awaits: `emit`, `queueTool`. */
  depth: number;
}

/** A call that code has put off until it has ended. */
export interface QueuedTool {
  readonly name: string;
  readonly args: Json;
}

/** Runs a tool of any kind: a project's own, a prompt, an agent, a service, one of the lifecycle tools. Never rejects. */
export interface ToolRunner {
  run(context: RunContext, name: string, args: Json): Promise<ToolResult>;
}

/** What a tool gives (threads.md §2.5). */
export type ToolResult = { readonly status: "success" | "error" } & { readonly [key: string]: Json };

/** One method of ThreadState: `thread` is the thread asked, which need not be the context's own. */
export type StateMethod = (
  context: RunContext,
  thread: string,
  args: readonly Json[],
) => Promise<Json | undefined> | Json | undefined;

/** Characters of a text among the arguments of a method, other than a message's content. */
const TEXT_LIMIT = 1024 * 1024;

/** A non-empty text among the arguments of a method. @throws {HandlerError} `usage` */
export function textArgument(method: string, name: string, value: Json | undefined): string {
  if (typeof value === "string" && value.length > TEXT_LIMIT) {
    throw new HandlerError(
      "usage",
      `state.${method}: ${name} has at most ${TEXT_LIMIT} characters, not ${value.length}`,
    );
  }
  if (typeof value === "string" && value.trim() !== "") return value;
  throw wrong(method, name, "a text that is not empty", value);
}

/** An object among the arguments of a method; left out it is empty. @throws {HandlerError} `usage` */
export function objectArgument(
  method: string,
  name: string,
  value: Json | undefined,
): { readonly [key: string]: Json } {
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value as { readonly [key: string]: Json };
  throw wrong(method, name, "an object", value);
}

/** A whole number from 0 on among the arguments; left out it is the default. @throws {HandlerError} `usage` */
export function countArgument(
  method: string,
  name: string,
  value: Json | undefined,
  otherwise: number,
): number {
  if (value === undefined || value === null) return otherwise;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw wrong(method, name, "a whole number from 0 on", value);
}

/** One of some words among the arguments; left out it is the default. @throws {HandlerError} `usage` */
export function wordArgument<T extends string>(
  method: string,
  name: string,
  value: Json | undefined,
  words: readonly T[],
  otherwise: T | undefined,
): T {
  if ((value === undefined || value === null) && otherwise !== undefined) return otherwise;
  const word = words.find((one) => one === value);
  if (word !== undefined) return word;
  throw wrong(method, name, `one of ${words.map((one) => `"${one}"`).join(", ")}`, value);
}

function wrong(method: string, name: string, rule: string, value: Json | undefined): HandlerError {
  const shown = value === undefined ? "nothing" : JSON.stringify(value).slice(0, 80);
  return new HandlerError("usage", `state.${method}: ${name} is ${rule}, not ${shown}`);
}
