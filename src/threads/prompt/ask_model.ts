import { isObject, type Json, type JsonObject } from "../../base/mod.ts";
import { ensureFolder } from "../../platform/mod.ts";
import type { AnswerPiece, ModelAnswer, ModelRequest } from "../ports.ts";
import type { RunContext } from "../state/context.ts";

/** The interface that models are asked through, and its tool. */
const LLM = "llm/v1", COMPLETE = "llm_complete";

/**
 * Asks a model through the project's `llm/v1` service.
 * @param piece gets pieces of the answer while it is made
 * @throws {ServiceFailure} an error of the interface
 */
export async function askModel(
  context: RunContext,
  request: ModelRequest,
  piece?: (piece: AnswerPiece) => void,
): Promise<ModelAnswer> {
  const { engine, thread, project, signal } = context;
  const folder = `${engine.ports.filesFolder}/${thread}`;
  await ensureFolder(folder);
  const progress = (text: string) =>
    engine.watchers.delta(thread, { type: "progress", name: COMPLETE, text });
  const args = request as unknown as JsonObject;
  const options = { signal, progress, ...piece && { piece } };
  const value = await engine.ports.services.call(project, folder, LLM, COMPLETE, args, options);
  return readModelAnswer(value);
}

/** The output of `llm_complete`: its `json` is JSON text. */
export function readModelAnswer(value: Json): ModelAnswer {
  const answer: { readonly [key: string]: unknown } = isObject(value) ? value : {};
  const usage: { readonly [key: string]: unknown } = isObject(answer["usage"]) ? answer["usage"] : {};
  const text = (key: string) => typeof answer[key] === "string" ? answer[key] : "";
  const count = (key: string) => typeof usage[key] === "number" ? usage[key] : 0;
  return {
    text: text("text"),
    json: typeof answer["json"] === "string" ? parsed(answer["json"]) : undefined,
    model: text("model"),
    stop: text("stop") || "other",
    inputTokens: count("inputTokens"),
    outputTokens: count("outputTokens"),
  };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
