import { errorText, type Json } from "../../base/mod.ts";
import type { LoggedError } from "../../store/mod.ts";
import { type ModelAnswer, type ModelRequest, ServiceFailure } from "../ports.ts";
import type { OfferedTool } from "../tools/offered.ts";
import { answerSchema } from "./answer_schema.ts";
import { llmHistory } from "./history.ts";
import type { LlmMessage } from "./llm_message.ts";
import { modelMessages } from "./model_messages.ts";
import type { LoopPorts } from "./ports.ts";
import { looksCutOff, type ReadAnswer, readAnswer } from "./read_answer.ts";
import type { Saying } from "./saying.ts";
import { systemText } from "./system_text.ts";
import { costOf } from "./usage.ts";

/** A model that gave no answer that a turn could go on with. */
export class StepError extends Error {
  override readonly name = "StepError";
  readonly logged: LoggedError;

  constructor(logged: LoggedError) {
    super(logged.message);
    this.logged = logged;
  }
}

/** What the model is asked in a step. @throws {HookBlock} where a hook keeps it from being asked */
export async function stepRequest(ports: LoopPorts, tools: readonly OfferedTool[]): Promise<ModelRequest> {
  const { hooks, prompt, model } = ports;
  const isText = (given: Json) => typeof given === "string";
  const own = await hooks.through("after_system_message", ports.promptText(), isText);
  const rows = await hooks.through("filter_messages", ports.rows() as unknown as Json, Array.isArray);
  const history = [
    ...ports.before(),
    ...llmHistory(rows as unknown as ReturnType<LoopPorts["rows"]>, ports.view),
  ];
  const seen = await hooks.through("prefilter_llm_history", history as unknown as Json, Array.isArray);
  const required = prompt.toolChoice === "required";
  const system = systemText(own ?? "", tools, required);
  return {
    messages: modelMessages(seen as unknown as readonly LlmMessage[], tools.length > 0),
    ...system === "" ? {} : { system },
    model: model?.model ?? prompt.model,
    ...model?.maxTokens === undefined ? {} : { maxTokens: model.maxTokens },
    ...model?.temperature === undefined ? {} : { temperature: model.temperature },
    ...tools.length === 0 ? {} : { schema: JSON.stringify(answerSchema(tools, required)) },
  };
}

/** Asks the model, tells what it says, logs it, reads it. @throws {StepError} where nothing can be made of it */
export async function askStep(
  ports: LoopPorts,
  request: ModelRequest,
  tools: readonly OfferedTool[],
  saying: Saying,
): Promise<ReadAnswer> {
  const answer = await askLogged(ports, request, tools.length > 0, saying);
  const read = tools.length > 0
    ? readAnswer(answer.text, answer.json)
    : { text: answer.text.trim() || null, calls: [] };
  if (answer.stop === "refused") {
    throw stepError(ports, "refused", answer.text || "the model declined to answer");
  }
  if (answer.stop === "length" && tools.length > 0 && answer.json === undefined && looksCutOff(answer.text)) {
    throw stepError(
      ports,
      "limit",
      "the answer was cut off at the limit of tokens, in the middle of its JSON",
    );
  }
  return read;
}

/** With the schema first; a model that cannot keep to it is asked again for the same in words alone. */
async function askLogged(
  ports: LoopPorts,
  request: ModelRequest,
  asJson: boolean,
  saying: Saying,
): Promise<ModelAnswer> {
  try {
    return await askOnce(ports, request, asJson, saying);
  } catch (error) {
    ports.signal.throwIfAborted();
    if (!(error instanceof ServiceFailure)) throw stepError(ports, "step_error", errorText(error));
    const { schema, ...inWords } = request;
    if (schema === undefined || !isAboutSchema(error)) throw stepError(ports, error.code, error.message);
    try {
      return await askOnce(ports, inWords, asJson, saying);
    } catch (second) {
      ports.signal.throwIfAborted();
      throw stepError(
        ports,
        second instanceof ServiceFailure ? second.code : "step_error",
        errorText(second),
      );
    }
  }
}

function isAboutSchema({ code, message }: ServiceFailure): boolean {
  return code !== "refused" && /schema|HTTP 4(?:00|22)/.test(message);
}

async function askOnce(
  ports: LoopPorts,
  request: ModelRequest,
  asJson: boolean,
  saying: Saying,
): Promise<ModelAnswer> {
  const started = ports.monotonic();
  const latencyMs = () => Math.round(ports.monotonic() - started);
  try {
    // with a schema the answer is data, which nobody reads as it comes
    const answer = await ports.ask(request, request.schema === undefined ? saying.piece : undefined);
    const { firstAt } = saying;
    const first = firstAt === undefined ? {} : { time_to_first_token_ms: Math.round(firstAt - started) };
    const data = { ...requestData(ports, answer, asJson), ...first };
    await ports.log({ latencyMs: latencyMs(), error: null, data });
    return answer;
  } catch (error) {
    if (ports.signal.aborted) throw error;
    const { logged } = stepError(
      ports,
      error instanceof ServiceFailure ? error.code : "step_error",
      errorText(error),
    );
    await ports.log({ latencyMs: latencyMs(), error: logged, data: base(ports) });
    throw error;
  }
}

function requestData(
  ports: LoopPorts,
  answer: ModelAnswer,
  asJson: boolean,
): { readonly [key: string]: Json } {
  const { inputTokens, outputTokens } = answer;
  const calls = asJson ? readAnswer(answer.text, answer.json).calls.map((call) => call.name) : [];
  return {
    ...base(ports),
    model: answer.model,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    cost: costOf(answer, ports.model) ?? null,
    finish_reason: calls.length > 0 ? "tool_calls" : answer.stop,
    tools_called: calls,
  };
}

function base({ prompt, model }: LoopPorts): { readonly [key: string]: Json } {
  return {
    provider: model?.provider ?? "llm/v1",
    model: model?.model ?? prompt.model,
    model_name: prompt.model,
    endpoint: "llm_complete",
    prompt_name: prompt.name,
  };
}

function stepError(ports: LoopPorts, type: string, message: string): StepError {
  return new StepError({ message, type, origin: `provider:${ports.model?.provider ?? "llm/v1"}` });
}
