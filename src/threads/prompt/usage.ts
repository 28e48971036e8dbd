import type { ModelDefinition } from "../../wire/mod.ts";
import type { ModelAnswer } from "../ports.ts";

/** US dollars for one answer by the prices of its model; undefined where none are given. */
export function costOf(
  usage: Pick<ModelAnswer, "inputTokens" | "outputTokens">,
  model: Pick<ModelDefinition, "inputPrice" | "outputPrice"> | undefined,
): number | undefined {
  if (model?.inputPrice === undefined && model?.outputPrice === undefined) return undefined;
  const micro = usage.inputTokens * (model.inputPrice ?? 0) + usage.outputTokens * (model.outputPrice ?? 0);
  return Math.round(micro * 1000) / 1e9;
}
