/** The input of `llm_complete` (llm/v1). */
export interface Input {
  readonly messages: readonly {
    readonly role: "user" | "assistant";
    readonly content: string;
  }[];
  readonly system?: string;
  readonly model?: string;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly schema?: string;
}

/** The vendor wants a limit in each request. */
const DEFAULT_MAX_TOKENS = 4096;
/** The tool that a schema becomes, and the property that holds an answer which is no object. */
const TOOL = "answer", VALUE = "value";

type JsonSchema = { readonly [key: string]: unknown };

/** A Messages request, streamed. */
export function requestBody(
  input: Input,
  model: string,
  schema: object | undefined,
): object {
  const { system, messages, maxTokens, temperature } = input;
  return {
    model,
    messages,
    max_tokens: maxTokens ?? DEFAULT_MAX_TOKENS,
    stream: true,
    ...(system === undefined ? {} : { system }),
    ...(temperature === undefined ? {} : { temperature: Math.min(temperature, 1) }), // the vendor's scale ends at 1
    ...(schema === undefined ? {} : forcedTool(schema as JsonSchema)),
  };
}

function forcedTool(schema: JsonSchema): object {
  const description = "Give the answer in this form.";
  return {
    tools: [{ name: TOOL, description, input_schema: asObject(schema) }],
    tool_choice: { type: "tool", name: TOOL },
  };
}

/** A tool's input is always an object: any other answer travels as a property of one. */
function asObject(schema: JsonSchema): JsonSchema {
  if (!isWrapped(schema)) return schema;
  const { $defs, ...value } = schema;
  return {
    type: "object",
    additionalProperties: false,
    required: [VALUE],
    properties: { [VALUE]: value },
    ...($defs === undefined ? {} : { $defs }),
  };
}

/** An answer put together from the stream's events. */
export class Reply {
  text = "";
  /** The JSON text that the model gave the tool. */
  toolInput = "";
  model = "";
  stopReason = "";
  usage = { inputTokens: 0, outputTokens: 0 };
  /** The error's type, where the service reported one in the stream. */
  failed = "";
  complete = false;

  // deno-lint-ignore no-explicit-any -- an event of the wire; each field is checked as it is read
  take(event: any): void {
    switch (event?.type) {
      case "message_start":
        if (typeof event.message?.model === "string") {
          this.model = event.message.model;
        }
        return this.#count(event.message?.usage);
      case "content_block_delta":
        if (typeof event.delta?.text === "string") {
          this.text += event.delta.text;
        }
        if (typeof event.delta?.partial_json === "string") {
          this.toolInput += event.delta.partial_json;
        }
        return;
      case "message_delta":
        if (typeof event.delta?.stop_reason === "string") {
          this.stopReason = event.delta.stop_reason;
        }
        return this.#count(event.usage);
      case "message_stop":
        this.complete = true;
        return;
      case "error":
        this.failed = /^\w{1,60}$/.exec(event.error?.type)?.[0] ?? "an error";
    }
  }

  /** The answer to a schema: the tool's input, taken out of its wrapping where there is one. */
  answerJson(wrapped: boolean): string {
    if (!wrapped) return this.toolInput;
    try {
      return JSON.stringify(JSON.parse(this.toolInput)[VALUE]) ?? "";
    } catch {
      return "";
    }
  }

  /** Input tokens stand in three fields: fresh, written to the cache, read from it. */
  #count(usage: { [key: string]: unknown } | undefined): void {
    const count = (name: string) => typeof usage?.[name] === "number" ? usage[name] : undefined;
    const fresh = count("input_tokens");
    if (fresh !== undefined) {
      const cached = (count("cache_creation_input_tokens") ?? 0) +
        (count("cache_read_input_tokens") ?? 0);
      this.usage.inputTokens = fresh + cached;
    }
    this.usage.outputTokens = count("output_tokens") ?? this.usage.outputTokens;
  }
}

/** Whether the answer to this schema is wrapped in an object. */
export function isWrapped(schema: object): boolean {
  return (schema as JsonSchema)["type"] !== "object";
}

/** The interface's `stop` for the vendor's `stop_reason`; the forced tool call is the end of a schema's answer. */
export function stopOf(
  reply: Reply,
): "end" | "length" | "stop_sequence" | "refused" | "other" {
  switch (reply.stopReason) {
    case "end_turn":
      return "end";
    case "tool_use":
      return reply.toolInput === "" ? "other" : "end";
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "stop_sequence":
      return "stop_sequence";
    case "refusal":
      return "refused";
    default:
      return "other";
  }
}
