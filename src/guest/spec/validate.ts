import { isHandler } from "./handler.ts";
import type { DefinitionIssue } from "./issue.ts";
import {
  anyText,
  anything,
  type Check,
  checkFields,
  count,
  doubt,
  fault,
  type Fields,
  flag,
  isPlain,
  joined,
  list,
  NO_EFFECTS,
  object,
  oneOf,
  record,
  shown,
  text,
} from "./shape.ts";

const BACKINGS = ["human", "prompt", "handler"] as const;

const PROMPT_OPTIONS = [
  "stopOnResponse",
  "stopTool",
  "stopToolResponseProperty",
  "maxSteps",
  "sessionStop",
  "sessionFail",
  "sessionStatus",
  "manualStopCondition",
];

const NOT_FOR_HANDLERS =
  "a handler side cannot have it: a handler's turn has no steps and ends when it returns";
const NOT_FOR_HUMANS = "it does nothing on a human side";

function allOf(keys: readonly string[], why: string): Readonly<Record<string, string>> {
  return Object.fromEntries(keys.map((key) => [key, why]));
}

const immediate: Check = (value, path, issues) => {
  if (typeof value === "boolean") return;
  object({ fields: { nameEnv: text, descriptionEnv: text, scopedEnv: list(text) } })(value, path, issues);
};

const relationship: Check = object({
  fields: {
    agent: text,
    as: text,
    description: anyText,
    maxInstances: count,
    immediate,
    blocking: flag,
    parentCommunication: oneOf("implicit", "explicit"),
    scopedEnv: list(text),
    initUserMessageProperty: text,
    initAttachmentsProperty: text,
    initAgentNameProperty: text,
    optional: text,
    hidden: flag,
  },
  required: ["agent"],
  refused: {
    resumable: "it was removed in 0.2.0: every child is a thread that stays",
    receives_messages: "it was removed in 0.2.0: say parentCommunication",
  },
});

const binding: Check = (value, path, issues) => {
  if (typeof value === "string") {
    fault(issues, path, `it must be { name: ${shown(value)} }: the name alone was removed in 0.2.0`);
  } else {
    object({
      fields: { name: text, messageProperty: text, attachmentsProperty: text },
      required: ["name"],
    })(value, path, issues);
  }
};

const handlerName: Check = (value, path, issues) => {
  if (isHandler(value)) fault(issues, path, "it must be the handler's name, not the handler itself");
  else text(value, path, issues);
};

const relationships: Check = (value, path, issues) => {
  list(relationship)(value, path, issues);
  if (!Array.isArray(value)) return;
  const names = value.map((entry: unknown) => isPlain(entry) ? entry["as"] ?? entry["agent"] : undefined);
  for (const [index, name] of names.entries()) {
    if (typeof name !== "string" || names.indexOf(name) === index) continue;
    const key = isPlain(value[index]) && value[index]["as"] !== undefined ? "as" : "agent";
    fault(
      issues,
      `${path}[${index}].${key}`,
      `the side has two relationships "${name}": give one another "as"`,
    );
  }
};

const human: Check = (value, path, issues) => {
  if (value !== true) fault(issues, path, `it must be true, not ${shown(value)}`);
};

const SHARED = { label: anyText, subagents: relationships };

const SIDES: Readonly<Record<typeof BACKINGS[number], Fields>> = {
  human: { fields: { ...SHARED, human }, idle: allOf(PROMPT_OPTIONS, NOT_FOR_HUMANS) },
  handler: { fields: { ...SHARED, handler: handlerName }, refused: allOf(PROMPT_OPTIONS, NOT_FOR_HANDLERS) },
  prompt: {
    fields: {
      ...SHARED,
      prompt: text,
      stopOnResponse: flag,
      stopTool: text,
      stopToolResponseProperty: text,
      maxSteps: count,
      sessionStop: binding,
      sessionFail: binding,
      sessionStatus: binding,
      manualStopCondition: flag,
    },
  },
};

const side: Check = (value, path, issues) => {
  if (!isPlain(value)) return object({ fields: {} })(value, path, issues);
  const backings = BACKINGS.filter((key) => value[key] !== undefined);
  const [backing] = backings;
  if (backing === undefined) {
    return fault(issues, path, "nobody stands behind it: it must have one of human, prompt, handler");
  }
  if (backings.length > 1) {
    fault(issues, path, `it must have one of human, prompt, handler, not ${backings.join(" and ")}`);
    // what a handler side cannot have is wrong whoever else is named
    return checkSeveral(value, path, backings, issues);
  }
  checkFields(value, path, SIDES[backing], issues);
  if (backing === "prompt") checkStopTool(value, path, issues);
};

function checkSeveral(
  value: Readonly<Record<string, unknown>>,
  path: string,
  backings: readonly (typeof BACKINGS[number])[],
  issues: DefinitionIssue[],
): void {
  const fields = Object.assign({}, ...backings.map((key) => SIDES[key].fields)) as Fields["fields"];
  const idle = allOf(PROMPT_OPTIONS, NOT_FOR_HUMANS);
  checkFields(value, path, { fields, idle }, issues);
}

function checkStopTool(
  value: Readonly<Record<string, unknown>>,
  path: string,
  issues: DefinitionIssue[],
): void {
  const property = joined(path, "stopToolResponseProperty");
  const has = (key: string) => value[key] !== undefined;
  if (has("stopTool") && !has("stopToolResponseProperty")) {
    fault(issues, property, "it is missing: it says which argument of stopTool is the answer");
  }
  if (!has("stopTool") && has("stopToolResponseProperty")) {
    doubt(issues, property, "it does nothing without stopTool");
  }
}

const AGENT: Fields = {
  fields: {
    name: text,
    sideA: side,
    sideB: side,
    maxSessionTurns: count,
    exposeAsTool: flag,
    toolDescription: text,
    primary: flag,
    parentHooks: list(object({
      fields: { hook: text, reason: text, stage: oneOf("before_parent", "after_parent") },
      required: ["hook", "reason"],
    })),
    hooks: list(text),
    env: record(anyText),
    description: anyText,
    icon: anything,
    packageName: anything,
    version: anything,
    author: anything,
    license: anything,
  },
  required: ["name", "sideA", "sideB"],
  refused: { type: "it was removed in 0.2.0: what an agent is follows from its sides", effects: NO_EFFECTS },
  idle: { title: "it was deprecated: the name is the title", tenvs: "it was deprecated: say env" },
};

/**
 * What is wrong with an agent by itself: names of others are not looked up. Any error keeps a project from being
 * loaded.
 */
export function validateAgentDefinition(definition: unknown): DefinitionIssue[] {
  const issues: DefinitionIssue[] = [];
  object(AGENT)(definition, "", issues);
  if (!isPlain(definition)) return issues;
  checkSides(definition, issues);
  checkExposure(definition, issues);
  if (String(definition["name"]).includes("/")) fault(issues, "name", `it must not contain "/"`);
  return issues;
}

function checkSides({ sideA, sideB }: Readonly<Record<string, unknown>>, issues: DefinitionIssue[]): void {
  const isHuman = (value: unknown) => isPlain(value) && value["human"] === true;
  if (isHuman(sideA) && isHuman(sideB)) {
    fault(issues, "sideB", "two human sides are not for an agent: one must be a prompt or a handler");
  }
}

function checkExposure(agent: Readonly<Record<string, unknown>>, issues: DefinitionIssue[]): void {
  const { exposeAsTool, toolDescription, parentHooks } = agent;
  if (exposeAsTool === true && toolDescription === undefined) {
    doubt(issues, "toolDescription", "it is missing: a model that may call the agent reads nothing about it");
  }
  if (!Array.isArray(parentHooks) || parentHooks.length === 0) return;
  if (exposeAsTool !== true) {
    fault(issues, "parentHooks", "only an agent with exposeAsTool: true has them: nobody else has a parent");
  }
  const ids = parentHooks.map((entry: unknown) => isPlain(entry) ? entry["hook"] : undefined);
  for (const [index, id] of ids.entries()) {
    if (typeof id !== "string" || ids.indexOf(id) === index) continue;
    fault(issues, `parentHooks[${index}].hook`, `"${id}" stands there twice`);
  }
}
