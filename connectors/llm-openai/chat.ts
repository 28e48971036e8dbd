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

/** A chat completions request, streamed, with usage at the end. */
export function requestBody(
  input: Input,
  model: string,
  schema: object | undefined,
  host: string,
): object {
  const { system, messages, maxTokens, temperature } = input;
  return {
    model,
    messages: system === undefined ? messages : [{ role: "system", content: system }, ...messages],
    stream: true,
    stream_options: { include_usage: true },
    ...(maxTokens === undefined ? {} : { [limitName(host)]: maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(schema === undefined ? {} : { response_format: responseFormat(schema) }),
  };
}

/** OpenAI has renamed the field, and its newer models refuse the old name; other servers know the old one. */
function limitName(host: string): string {
  return host === "api.openai.com" ? "max_completion_tokens" : "max_tokens";
}

function responseFormat(schema: object): object {
  return {
    type: "json_schema",
    json_schema: { name: "answer", strict: isStrict(schema), schema },
  };
}

/** Whether strict mode takes it: every object closed, every property required. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== "object" || schema === null) return true;
  const { type, properties, required, additionalProperties } = schema as {
    [key: string]: unknown;
  };
  if (type === "object") {
    const names = Object.keys(properties ?? {});
    const all = Array.isArray(required) &&
      names.every((name) => required.includes(name));
    if (additionalProperties !== false || (!all && names.length > 0)) {
      return false;
    }
  }
  return Object.values(schema).every(isStrict);
}

/** An answer put together from its chunks; a whole completion counts as one chunk. */
export class Reply {
  text = "";
  refusal = "";
  model = "";
  usage = { inputTokens: 0, outputTokens: 0 };
  /** Whether the server reported an error inside the answer. */
  failed = false;
  /** Whether the server said that the answer is over. */
  complete = false;
  #finish: string | undefined;

  get finish(): string | undefined {
    return this.#finish;
  }

  // deno-lint-ignore no-explicit-any -- a chunk of the wire; each field is checked as it is read
  take(chunk: any): void {
    if (chunk?.error) {
      this.failed = true;
      return;
    }
    const choice = chunk?.choices?.[0];
    const part = choice?.delta ?? choice?.message;
    if (typeof part?.content === "string") this.text += part.content;
    if (typeof part?.refusal === "string") this.refusal += part.refusal;
    if (typeof chunk?.model === "string") this.model = chunk.model;
    if (typeof choice?.finish_reason === "string") {
      this.#over(choice.finish_reason);
    }
    if (chunk?.usage) this.usage = usageOf(chunk.usage);
  }

  /** The stream's own mark of its end; not every server gives a reason before it. */
  end(): void {
    this.complete = true;
  }

  #over(finish: string): void {
    this.#finish = finish;
    this.complete = true;
  }
}

function usageOf(
  usage: { prompt_tokens?: unknown; completion_tokens?: unknown },
): Reply["usage"] {
  const count = (value: unknown) => typeof value === "number" && value >= 0 ? Math.round(value) : 0;
  return {
    inputTokens: count(usage.prompt_tokens),
    outputTokens: count(usage.completion_tokens),
  };
}

/** The interface's `stop` for the vendor's `finish_reason`; a stop sequence is `stop` there too. */
export function stopOf(reply: Reply): "end" | "length" | "refused" | "other" {
  if (reply.refusal !== "" && reply.text === "") return "refused";
  switch (reply.finish) {
    case "stop":
      return "end";
    case "length":
      return "length";
    case "content_filter":
      return "refused";
    default:
      return "other";
  }
}
