import type { HandlerError } from "../../base/mod.ts";
import { compileFileFinder, compileSchema, type TomlPath } from "../../schema/mod.ts";
import { meantHint } from "../hints.ts";
import { type Interface, PLATFORM_ERRORS, type ToolDefinition } from "../interface.ts";
import type { ConformanceCase, ConformanceCases } from "./expectation.ts";

/** What cases are checked against. */
export interface CaseRules {
  readonly tools: Interface["tools"];
  readonly errors: Interface["errors"];
  /** Files of the `conformance` folder, by their paths in it. */
  readonly fixtures: ReadonlySet<string>;
  /** Makes a problem with the place in the file. */
  problem(path: TomlPath, message: string, hint?: string): HandlerError;
}

/** What the shape of `cases.toml` cannot say. */
export function caseProblems(cases: ConformanceCases, rules: CaseRules): readonly HandlerError[] {
  return [
    ...cases.cases.flatMap((one, index) => oneCase(one, index, cases, rules)),
    ...excuses(cases, rules),
    ...unmet(cases, rules),
  ];
}

function oneCase(
  one: ConformanceCase,
  index: number,
  { cases }: ConformanceCases,
  rules: CaseRules,
): readonly HandlerError[] {
  const problems: HandlerError[] = [];
  const say = (path: TomlPath, message: string, hint?: string) => {
    problems.push(rules.problem(["case", index, ...path], message, hint));
  };
  if (cases.findIndex(({ name }) => name === one.name) < index) say(["name"], "must be a name of its own");
  const { generate, expect } = one;
  if (generate?.from !== undefined && !rules.fixtures.has(generate.from)) {
    say(["generate", "from"], "must be a file of the conformance folder");
  }
  if (generate && rules.fixtures.has(generate.path)) {
    say(["generate", "path"], "must not be a fixture's name");
  }
  if (expect.kind === "error" && !codes(rules).includes(expect.code)) {
    const { hint } = meantHint(expect.code, codes(rules));
    say(["expect", "error"], `must be an error of the interface or the platform, found ${expect.code}`, hint);
  }
  const tool = rules.tools.find(({ name }) => name === one.tool);
  if (tool) problems.push(...inputProblems(one, index, tool, rules));
  else {say(
      ["tool"],
      `must be a tool of the interface`,
      meantHint(one.tool, rules.tools.map(({ name }) => name)).hint,
    );}
  return problems;
}

/** An input that is meant to be refused may be anything; every other one fits, and its files are there. */
function inputProblems(
  { input, expect, generate }: ConformanceCase,
  index: number,
  tool: ToolDefinition,
  rules: CaseRules,
): readonly HandlerError[] {
  if (expect.kind === "error" && expect.code === "invalid_input") return [];
  const broken = compileSchema(tool.inputSchema)(input);
  if (broken) {
    const message = `must fit the input schema of ${tool.name}: ${broken.path || "it"} ${broken.message}`;
    return [rules.problem(["case", index, "input"], message)];
  }
  const files = compileFileFinder(tool.inputSchema)?.(input) ?? [];
  return files.filter(({ format, value }) =>
    format === "handler-file" && value !== generate?.path && !rules.fixtures.has(value)
  ).map(({ path }) =>
    rules.problem(["case", index, "input", ...path], "must be a file of the conformance folder, or generated")
  );
}

function excuses({ cases, unprovoked }: ConformanceCases, rules: CaseRules): readonly HandlerError[] {
  return unprovoked.flatMap(({ error }, index) => {
    const say = (message: string) => [rules.problem(["unprovoked", index, "error"], message)];
    if (!Object.hasOwn(rules.errors, error)) {
      return say(`must be an error that the interface declares, found ${error}`);
    }
    if (unprovoked.findIndex((other) => other.error === error) < index) {
      return say(`${error} is excused already`);
    }
    const provoking = cases.find(({ expect }) => expect.kind === "error" && expect.code === error);
    return provoking
      ? say(`${error} needs no excuse: the case ${JSON.stringify(provoking.name)} provokes it`)
      : [];
  });
}

/** Declared errors that no case provokes and nobody excuses. */
function unmet(cases: ConformanceCases, rules: CaseRules): readonly HandlerError[] {
  return unmetErrors(cases, Object.keys(rules.errors)).map((code) =>
    rules.problem(
      [],
      `the declared error ${code} is neither provoked by a case nor excused`,
      `add a case with expect.error = "${code}", or [[unprovoked]] with error = "${code}" and why`,
    )
  );
}

/** Of some declared errors those that no case expects and no excuse names. */
export function unmetErrors(
  { cases, unprovoked }: ConformanceCases,
  declared: readonly string[],
): readonly string[] {
  return declared.filter((code) =>
    !cases.some(({ expect }) => expect.kind === "error" && expect.code === code) &&
    !unprovoked.some(({ error }) => error === code)
  );
}

function codes({ errors }: CaseRules): readonly string[] {
  return [...Object.keys(errors), ...PLATFORM_ERRORS];
}
