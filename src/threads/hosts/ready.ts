import type { DefinitionProblem, DefinitionSet } from "../../wire/mod.ts";
import type { Ready } from "./link.ts";
import {
  anything,
  choice,
  flag,
  list,
  maybe,
  number,
  oneOf,
  orFalse,
  record,
  type Shape,
  table,
  text,
} from "./shape.ts";

const binding = record({
  name: text,
  messageProperty: maybe(text),
  attachmentsProperty: maybe(text),
});

const relationship = record({
  agent: text,
  as: text,
  description: maybe(text),
  maxInstances: maybe(number),
  immediate: orFalse(record({
    nameEnv: maybe(text),
    descriptionEnv: maybe(text),
    scopedEnv: maybe(list(text)),
  })),
  blocking: flag,
  parentCommunication: oneOf("implicit", "explicit"),
  scopedEnv: list(text),
  initUserMessageProperty: maybe(text),
  initAttachmentsProperty: maybe(text),
  initAgentNameProperty: maybe(text),
  optional: maybe(text),
  hidden: flag,
});

const anySide = { label: maybe(text), subagents: list(relationship) };

const side = choice("kind", {
  human: record(anySide),
  handler: record({ ...anySide, handler: text }),
  prompt: record({
    ...anySide,
    prompt: text,
    stopOnResponse: flag,
    stopTool: maybe(text),
    stopToolResponseProperty: maybe(text),
    maxSteps: maybe(number),
    manualStopCondition: flag,
    sessionStop: maybe(binding),
    sessionFail: maybe(binding),
    sessionStatus: maybe(binding),
  }),
});

const agent = record({
  name: text,
  file: text,
  sideA: side,
  sideB: side,
  maxSessionTurns: maybe(number),
  exposeAsTool: flag,
  toolDescription: maybe(text),
  primary: flag,
  description: maybe(text),
  parentHooks: list(record({ hook: text, reason: text, stage: oneOf("before_parent", "after_parent") })),
  hooks: list(text),
  env: table(text),
});

const prompt = record({
  name: text,
  file: text,
  toolDescription: text,
  prompt: list(choice("type", {
    text: record({ content: text }),
    include: record({ prompt: text }),
    env: record({ property: text }),
  })),
  model: text,
  includeChat: flag,
  includePastTools: flag,
  parallelToolCalls: flag,
  toolChoice: oneOf("auto", "none", "required"),
  requiredSchema: anything,
  variables: list(record({
    name: text,
    type: oneOf("text", "secret"),
    required: flag,
    description: text,
    scoped: flag,
  })),
  tools: list(record({
    name: text,
    includeTextResponse: flag,
    includeToolCalls: flag,
    includeErrors: flag,
    initUserMessageProperty: maybe(text),
    initAttachmentsProperty: maybe(text),
    env: maybe(table(text)),
  })),
  services: list(text),
  env: table(text),
  recentImageThreshold: number,
  hooks: list(text),
});

const model = record({
  name: text,
  file: text,
  model: text,
  provider: maybe(text),
  maxTokens: maybe(number),
  temperature: maybe(number),
  inputPrice: maybe(number),
  outputPrice: maybe(number),
});

const tool = record({
  name: text,
  file: text,
  description: text,
  args: maybe(table(anything)),
  uses: maybe(list(text)),
  progressArgument: maybe(text),
});

const definitionSet: Shape = record({
  agents: list(agent),
  prompts: list(prompt),
  models: list(model),
  tools: list(tool),
  hooks: list(record({ id: text, hook: text, file: text })),
  effects: list(record({ name: text, file: text, description: text, args: maybe(table(anything)) })),
  handlers: list(record({ name: text, file: text, description: maybe(text) })),
});

const problem = record({
  file: text,
  path: text,
  message: text,
  severity: oneOf("error", "warning"),
  line: maybe(number),
  column: maybe(number),
});

/**
 * What a host has loaded. It runs a project's own code, so that every part is looked at before the daemon goes by it.
 * @throws {HandlerError} `invalid`
 */
export function checkReady(
  { definitions, problems }: Ready,
): { readonly definitions: DefinitionSet; readonly problems: readonly DefinitionProblem[] } {
  definitionSet(definitions, "definitions");
  list(problem)(problems, "problems");
  return { definitions, problems };
}
