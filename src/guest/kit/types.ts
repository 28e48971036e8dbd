import type { JsonObject } from "../../base/mod.ts";
import type { HandlerFile, HandlerOutput } from "./files.ts";

/** A value of a tool's input: JSON, with files in place of their wire form. */
export type InputValue =
  | null
  | boolean
  | number
  | string
  | HandlerFile
  | HandlerOutput
  | readonly InputValue[]
  | { readonly [key: string]: InputValue };

/** What one tool takes and gives. */
export interface ToolTypes {
  readonly input: unknown;
  readonly output: unknown;
}

/** What a connector without a generated stub works with. */
export type AnyTools = {
  readonly [tool: string]: {
    readonly input: { readonly [key: string]: InputValue };
    readonly output: JsonObject;
  };
};

/**
 * One function for each tool of the interface, by the tool's name. `T` maps each tool to its types, as
 * `handler interface stub` writes them; `Code` is the union of the interface's error codes.
 */
export type Handlers<
  T extends { readonly [K in keyof T]: ToolTypes } = AnyTools,
  Code extends string = string,
> = {
  readonly [K in keyof T]: (
    input: T[K]["input"],
    call: Call<Code>,
  ) => Promise<T[K]["output"]> | T[K]["output"];
};

/** What a handler gets besides its input. */
export interface Call<Code extends string = string> {
  /** Aborted when the caller cancels, goes away, or the time is up. Hand it to every `fetch` and long loop. */
  readonly signal: AbortSignal;
  /** Every file of the input, in the order it stands there. */
  readonly files: readonly HandlerFile[];
  /** The W3C trace context of the call, where the caller gave one. */
  readonly traceparent: string | undefined;
  /** Tells how far the work is. Sent only where the caller asked for it; a value that does not grow is dropped. */
  progress(done: number, total?: number, message?: string): void;
  /**
   * Gives a piece of the answer's text while it is made, in order; all of them together are the text of the output. The
   * caller gets them only where it asked for pieces; whether it did or not, they count as progress.
   */
  piece(text: string): void;
  /**
   * Ends the call with one of the interface's error codes and a message for the agent; `invalid_input` and `limit` are
   * the platform's, for what only the provider can tell.
   */
  fail(code: Code | "invalid_input" | "limit", message: string): never;
  /** Counts what the call used (`{ pages: 3 }`), for the call record; called again, it adds. */
  units(counted: Readonly<Record<string, number>>): void;
  /** A line for the operator's log (stderr); never a payload or a secret. */
  log(message: string): void;
}
