import { HandlerError, isObject, type JsonObject } from "../base/mod.ts";
import type { CallRecord } from "../store/mod.ts";
import type { Answer } from "./conformance/expectation.ts";
import { Cancellation } from "./router/cancellation.ts";
import { CallFailure } from "./router/failure.ts";
import { Upstream } from "./router/upstream.ts";

const FRAME_LIMIT = 64 * 1024 * 1024;
const HANDSHAKE_MS = 10_000;

/**
 * One call as an agent makes it, over the router's socket, with what the call record says of it.
 * @param heard gives the record of the next call that ends
 */
export async function askThroughRouter(
  socket: string,
  tool: string,
  input: JsonObject,
  heard: () => Promise<CallRecord>,
  signal: AbortSignal,
): Promise<Answer> {
  const router = await Upstream.connect(socket, FRAME_LIMIT, HANDSHAKE_MS);
  try {
    const argumentsText = JSON.stringify(input);
    const cancellation = new Cancellation();
    const stop = () => cancellation.cancel(new CallFailure("cancelled", "the check was given up"));
    signal.addEventListener("abort", stop, { once: true });
    const call = {
      ...{ tool, argumentsText, traceparent: undefined, cancellation },
      ...{ onProgress: undefined, inPieces: false },
    };
    const message = await router.call(call).finally(() => signal.removeEventListener("abort", stop));
    if (isObject(message.error)) throw new HandlerError("internal", `the router refused the call of ${tool}`);
    return answerOf(message.result, await heard());
  } finally {
    router.close();
  }
}

function answerOf(result: unknown, record: CallRecord): Answer {
  const { isError, structuredContent, content } = result as {
    isError?: boolean;
    structuredContent?: JsonObject;
    content: { text: string }[];
  };
  if (!isError) return { kind: "result", value: structuredContent! };
  const { error, message } = JSON.parse(content[0]!.text) as { error: string; message: string };
  const detail = record.detail ?? undefined;
  return { kind: "error", code: error, message, detail, connectorAtFault: blames(error, detail) };
}

/** The router leaves a detail with a connector's own error only where it had to change something about it. */
function blames(code: string, detail: string | undefined): boolean {
  return detail !== undefined && (code === "unavailable" || detail.includes("withheld"));
}
