import type { Json } from "../../src/base/mod.ts";
import type { ModelRequest, ServiceCallOptions, ServiceTool, ThreadServices } from "../../src/threads/mod.ts";

/** What the fake model says to a request: a text, or tools to call. */
export type FakeAnswer = string | { readonly text: string | null; readonly tool_calls: readonly FakeCall[] };

/** A tool that the fake model calls. */
export interface FakeCall {
  readonly name: string;
  readonly arguments: Json;
}

/** `llm/v1` answered by a function, with every request kept. */
export class FakeModel implements ThreadServices {
  readonly requests: ModelRequest[] = [];
  /** `piece` gives pieces of the answer, where they are asked for. */
  answer: (
    request: ModelRequest,
    count: number,
    piece: NonNullable<ServiceCallOptions["piece"]>,
  ) => FakeAnswer | Promise<FakeAnswer> = () => "well";

  tools(): readonly ServiceTool[] {
    return [];
  }

  async call(
    _project: string,
    _scope: string,
    interfaceId: string,
    tool: string,
    args: Json,
    options: Pick<ServiceCallOptions, "signal" | "piece">,
  ): Promise<Json> {
    if (interfaceId !== "llm/v1" || tool !== "llm_complete") {
      throw new Error(`there is no ${interfaceId} ${tool}`);
    }
    options.signal.throwIfAborted();
    this.requests.push(args as unknown as ModelRequest);
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const stop = () => reject(options.signal.reason);
    options.signal.addEventListener("abort", stop, { once: true });
    const said = await Promise.race([
      this.answer(args as unknown as ModelRequest, this.requests.length, (one) => options.piece?.(one)),
      aborted,
    ]).finally(() => options.signal.removeEventListener("abort", stop));
    const text = typeof said === "string" ? said : JSON.stringify(said);
    return {
      text,
      ...(typeof said === "string" ? {} : { json: text }),
      model: "fake",
      stop: "end",
      usage: { inputTokens: 1, outputTokens: 1 },
    };
  }
}
