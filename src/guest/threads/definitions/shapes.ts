import type { DefinitionKind } from "../../spec/brand.ts";
import { isHandler } from "../../spec/handler.ts";
import type { DefinitionIssue } from "../../spec/issue.ts";
import {
  amount,
  anyText,
  anything,
  callable,
  type Check,
  checkFields,
  count,
  fault,
  type Fields,
  flag,
  isPlain,
  list,
  NO_EFFECTS,
  object,
  oneOf,
  ONLY_A_SIDE,
  record,
  shown,
  text,
} from "../../spec/shape.ts";
import { validateAgentDefinition } from "../../spec/validate.ts";
import { HOOKS, USER_HOOKS } from "./hooks.ts";
import { objectSchema } from "./schema.ts";

const variable: Check = object({
  fields: {
    name: text,
    type: oneOf("text", "secret"),
    required: flag,
    description: anyText,
    scoped: flag,
  },
  required: ["name", "type"],
});

const OLD_TENVS = { tenvs: "it was deprecated: say variables" };
const OF_A_SIDE = `it belongs to a relationship: name the agent among the "subagents" of a side`;

const json: Check = (value, path, issues) => {
  try {
    JSON.stringify(value);
  } catch {
    fault(issues, path, "it must be what JSON can say");
  }
};

const toolEntry = object({
  fields: {
    name: text,
    includeTextResponse: flag,
    includeToolCalls: flag,
    includeErrors: flag,
    initUserMessageProperty: text,
    initAttachmentsProperty: text,
    env: record(anyText),
    options: json,
  },
  required: ["name"],
  refused: {
    resumable: OF_A_SIDE,
    receives_messages: OF_A_SIDE,
    blocking: OF_A_SIDE,
    hidden: OF_A_SIDE,
    immediate: OF_A_SIDE,
  },
});

const promptTool: Check = (value, path, issues) => {
  if (typeof value === "string" || isHandler(value)) text(value, path, issues);
  else if (isPlain(value)) toolEntry(value, path, issues);
  else fault(issues, path, `it must be a name or an object with one, not ${shown(value)}`);
};

const PART_FIELDS: Readonly<Record<string, string>> = { text: "content", include: "prompt", env: "property" };

const promptPart: Check = (value, path, issues) => {
  const field = isPlain(value) ? PART_FIELDS[String(value["type"])] : undefined;
  if (!field) {
    return object({ fields: { type: oneOf("text", "include", "env") }, required: ["type"] })(
      value,
      path,
      issues,
    );
  }
  object({ fields: { type: anything, [field]: field === "content" ? anyText : text }, required: [field] })(
    value,
    path,
    issues,
  );
};

const promptText: Check = (value, path, issues) => {
  if (typeof value === "string") text(value, path, issues);
  else if (Array.isArray(value)) list(promptPart)(value, path, issues);
  else fault(issues, path, `it must be a text or a list of parts, not ${shown(value)}`);
};

const service: Check = (value, path, issues) => {
  if (typeof value === "string" && /^[a-z][a-z0-9-]*\/v[1-9]\d*$/.test(value)) return;
  fault(issues, path, `it must be the name of a service's interface such as "ocr/v1", not ${shown(value)}`);
};

const promptName: Check = (value, path, issues) => {
  text(value, path, issues);
  if (typeof value === "string" && value.includes("/")) fault(issues, path, `it must not contain "/"`);
};

const prompt: Check = object({
  fields: {
    name: promptName,
    toolDescription: text,
    prompt: promptText,
    model: text,
    includeChat: flag,
    includePastTools: flag,
    parallelToolCalls: flag,
    toolChoice: oneOf("auto", "none", "required"),
    requiredSchema: objectSchema,
    variables: list(variable),
    tools: list(promptTool),
    services: list(service),
    env: record(anyText),
    reasoning: object({
      fields: { effort: oneOf("low", "medium", "high"), maxTokens: count, exclude: flag, include: flag },
    }),
    recentImageThreshold: amount,
    hooks: list(text),
  },
  required: ["name", "toolDescription", "prompt", "model"],
  refused: { effects: NO_EFFECTS },
  idle: OLD_TENVS,
});

const argumentsSchema: Check = (value, path, issues) => {
  if (value !== null) objectSchema(value, path, issues);
};

const tool: Check = object({
  fields: {
    description: text,
    args: argumentsSchema,
    execute: callable,
    variables: list(variable),
    uses: list(text),
    executionMode: oneOf("local", "provider"),
    executionProvider: text,
    progressArgument: text,
  },
  required: ["description", "execute"],
  idle: OLD_TENVS,
});

const hookName: Check = (value, path, issues) => {
  if (typeof value === "string" && USER_HOOKS.includes(value)) {
    fault(issues, path, `"${value}" is a hook of users, threads have none of it`);
  } else oneOf(...HOOKS)(value, path, issues);
};

const hook: Check = object({
  fields: { id: text, hook: hookName, execute: callable },
  required: ["hook", "id", "execute"],
});

const effect: Check = (value, _path, issues) => {
  const [description, schema, execute] = value as readonly unknown[];
  text(description, "description", issues);
  if (isHandler(schema)) return fault(issues, "args", `it is a handler: ${ONLY_A_SIDE}`);
  if (schema !== null && schema !== undefined) objectSchema(schema, "args", issues);
  callable(execute, "execute", issues);
};

const HANDLER: Fields = {
  fields: { description: anyText, execute: callable },
  required: ["execute"],
  idle: { name: "nothing reads it: a handler's name is its file's" },
};

const handler: Check = (value, path, issues) => {
  checkFields(value as Readonly<Record<string, unknown>>, path, HANDLER, issues);
};

const model: Check = object({
  fields: {
    name: text,
    model: text,
    provider: anything,
    maxTokens: count,
    temperature: amount,
    inputPrice: amount,
    outputPrice: amount,
    cachedPrice: amount,
    description: anyText,
  },
  required: ["name", "model"],
});

const provider: Check = (value, path, issues) => {
  const name = isPlain(value) ? value["name"] : undefined;
  if (name === undefined) fault(issues, "name", "it is missing");
  else text(name, path === "" ? "name" : path, issues);
};

const agent: Check = (value, _path, issues) => {
  issues.push(...validateAgentDefinition(value));
};

const CHECKS: Readonly<Record<DefinitionKind, Check>> = {
  agent,
  prompt,
  model,
  provider,
  tool,
  hook,
  effect,
  handler,
};

/** What is wrong with a definition by itself: names of others are not looked up. */
export function checkShape(kind: DefinitionKind, value: unknown): readonly DefinitionIssue[] {
  const issues: DefinitionIssue[] = [];
  CHECKS[kind](value, "", issues);
  return issues;
}
