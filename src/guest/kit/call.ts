import { errorText, type Json, type JsonObject } from "../../base/mod.ts";
import { ConnectorFailure, fail } from "./failure.ts";
import { openInput, type WrittenOutput } from "./files.ts";
import type { Call, Handlers } from "./types.ts";

/** MCP's `CallToolResult`. */
export type ToolResult = JsonObject;

/** What one call is made of. */
export interface CallOptions {
  readonly handler: Handlers[string];
  readonly input: unknown;
  /** The request's `_meta`. */
  readonly meta: { readonly [key: string]: unknown };
  readonly signal: AbortSignal;
  readonly files: string;
  readonly log: (line: string) => void;
  /** Sends the parameters of a progress notification. */
  readonly progress: (note: JsonObject) => void;
}

/** Runs a handler to its result. Never rejects: whatever is thrown becomes a declared error. */
export async function runCall(options: CallOptions): Promise<ToolResult> {
  try {
    const { value, files, written } = openInput(options.input, options.files, options.signal);
    const units = new Map<string, number>();
    const call: Call = {
      signal: options.signal,
      files,
      traceparent: text(options.meta["traceparent"]),
      ...progressOf(options),
      fail,
      units: (counted) => addUp(units, counted),
      log: options.log,
    };
    const output = await options.handler(value as Parameters<typeof options.handler>[0], call);
    return success(output, units, written);
  } catch (error) {
    return failure(error, options);
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Of an answer that nobody wants in pieces, its growth is told after so many characters. */
const UNTOLD = 64;

/** Progress has to grow, says MCP; without a token nobody asked for it. */
function progressOf({ meta, progress }: CallOptions): Pick<Call, "progress" | "piece"> {
  const token = meta["progressToken"];
  if (typeof token !== "string" && typeof token !== "number") return { progress() {}, piece() {} };
  let last = -Infinity;
  const tell: Call["progress"] = (done, total, message) => {
    if (!(done > last)) return;
    last = done;
    progress({
      progressToken: token,
      progress: done,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    });
  };
  const inPieces = meta["handler/pieces"] === true;
  let untold = 0;
  return {
    // where pieces are wanted, a message is one
    progress: (done, total, message) => tell(done, total, inPieces ? undefined : message),
    piece: (text) => {
      untold += text.length;
      if (text === "" || !inPieces && untold < UNTOLD) return;
      tell(Math.max(last, 0) + untold, undefined, inPieces ? text : undefined);
      untold = 0;
    },
  };
}

function addUp(sums: Map<string, number>, counted: Readonly<Record<string, number>>): void {
  for (const [unit, count] of Object.entries(counted)) sums.set(unit, (sums.get(unit) ?? 0) + count);
}

function success(
  output: JsonObject,
  units: ReadonlyMap<string, number>,
  written: ReadonlyMap<string, WrittenOutput>,
): ToolResult {
  const meta: Record<string, Json> = {};
  if (units.size > 0) meta["handler/units"] = Object.fromEntries(units);
  if (written.size > 0) {
    const outputs = [...written].map(([id, { mediaType, size }]) => [id, { mediaType, size }] as const);
    meta["handler/outputs"] = Object.fromEntries(outputs);
  }
  // the router repeats the output as text for clients that know only text; twice on this wire would halve its limit
  return {
    content: [],
    structuredContent: output,
    ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}),
  };
}

/** What was declared is passed on; of anything else the caller learns nothing but that it failed. */
function failure(error: unknown, { signal, log }: CallOptions): ToolResult {
  if (error instanceof ConnectorFailure) return errorResult(error.code, error.message);
  if (!signal.aborted) log(error instanceof Error ? error.stack ?? error.message : errorText(error));
  return errorResult("unavailable", "the connector failed; retrying later may work");
}

function errorResult(error: string, message: string): ToolResult {
  return { isError: true, content: [{ type: "text", text: JSON.stringify({ error, message }) }] };
}
