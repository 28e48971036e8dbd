import { isObject, type JsonObject } from "../../base/mod.ts";
import { textValues } from "../interfaces/lint_text.ts";
import type { Answer, ConformanceCase, Finding, OutputFile, PropertyRule } from "./expectation.ts";
import { messageFindings } from "./message.ts";

/**
 * Compares an answer with what its case expects; no finding means that the case passes. `outputs` are the files that
 * the call wrote, by the name the input gave them.
 *
 * - `minItems`, `maxItems`: the value is an array with so many items.
 * - `contains`: each text occurs among all texts at and below the value, those of one answer joined by newlines. Any run
 *   of white space counts as one space on both sides, because line breaks differ between services; case counts.
 * - `matches`: the regular expression (JavaScript, flag `u`) is found in those texts, taken as they are.
 *   Where the path leads to a number or a truth value itself, its JSON text counts for both.
 * - `mediaType`, `minBytes`: the value is the name of an output file in the *input*; the file is of that type, so large.
 * - `error`: the call fails with this code, and the router holds nothing against the connector.
 *
 * Every error's message must be fit for an agent, see {@linkcode messageFindings}.
 */
export function evaluate(
  { expect, input }: Pick<ConformanceCase, "expect" | "input">,
  answer: Answer,
  outputs: ReadonlyMap<string, OutputFile>,
): readonly Finding[] {
  const faults = answer.kind === "error" ? errorFindings(answer, input) : [];
  if (expect.kind === "error") return [...codeFindings(expect.code, answer), ...faults];
  if (answer.kind === "error") {
    const message = `a result was expected, the call failed with ${answer.code}`;
    return [{ at: "expect", message }, ...faults];
  }
  return expect.rules.flatMap((rule) => {
    const message = broken(rule, answer.value, input, outputs);
    return message === undefined ? [] : [{ at: ["expect", ...rule.path, rule.rule].join("."), message }];
  });
}

/** A connector that the router had to cover for does not pass, even where the code is the expected one. */
function errorFindings(answer: Extract<Answer, { kind: "error" }>, input: JsonObject): readonly Finding[] {
  const unfit = messageFindings(answer.message, input);
  if (!answer.connectorAtFault) return unfit;
  return [
    { at: "connector", message: `the router blames the connector: ${answer.detail ?? "no detail"}` },
    ...unfit,
  ];
}

function codeFindings(code: string, answer: Answer): readonly Finding[] {
  if (answer.kind === "error" && answer.code === code) return [];
  const found = answer.kind === "error" ? `failed with ${answer.code}` : "succeeded";
  return [{ at: "expect.error", message: `the call must fail with ${code}, it ${found}` }];
}

/** What breaks a rule, or undefined. The result's own texts stay out of the message. */
function broken(
  rule: PropertyRule,
  result: unknown,
  input: unknown,
  outputs: ReadonlyMap<string, OutputFile>,
): string | undefined {
  if (rule.rule === "mediaType" || rule.rule === "minBytes") {
    return brokenFile(rule, outputs.get(String(valueAt(input, rule.path))));
  }
  const value = valueAt(result, rule.path);
  if (value === undefined) return "the result has nothing there";
  switch (rule.rule) {
    case "minItems":
    case "maxItems":
      return brokenCount(rule.rule, rule.value, value);
    case "contains":
      return missingTexts(rule.value, textOf(value));
    case "matches":
      return new RegExp(rule.value, "u").test(textOf(value)) ? undefined : `no text matches /${rule.value}/`;
  }
}

function brokenCount(rule: "minItems" | "maxItems", limit: number, value: unknown): string | undefined {
  if (!Array.isArray(value)) return "the value there is not an array";
  const holds = rule === "minItems" ? value.length >= limit : value.length <= limit;
  if (holds) return undefined;
  return `${
    rule === "minItems" ? "at least" : "at most"
  } ${limit} items are asked for, found ${value.length}`;
}

function missingTexts(wanted: readonly string[], text: string): string | undefined {
  const found = collapse(text);
  const missing = wanted.filter((part) => !found.includes(collapse(part)));
  if (missing.length === 0) return undefined;
  return `the text lacks ${missing.map((part) => JSON.stringify(part)).join(", ")}`;
}

function brokenFile(
  rule: Extract<PropertyRule, { rule: "mediaType" | "minBytes" }>,
  file: OutputFile | undefined,
): string | undefined {
  if (!file) return "no such output file was written";
  if (rule.rule === "minBytes") {
    return file.bytes >= rule.value
      ? undefined
      : `at least ${rule.value} bytes are asked for, found ${file.bytes}`;
  }
  return file.mediaType === rule.value
    ? undefined
    : `the file must be ${rule.value}, its bytes tell ${file.mediaType ?? "nothing known"}`;
}

/** The value that the steps lead to: members of objects, items of arrays by their number. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, step) => {
    if (Array.isArray(at)) return /^\d+$/.test(step) ? at[Number(step)] : undefined;
    return isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }, value);
}

/** The text that rules look at: of a number or a truth value that the path leads to itself, how JSON writes it. */
function textOf(value: unknown): string {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : allText(value);
}

/** Every string at and below a value, in order, joined by newlines; names of members are no text. */
export function allText(value: unknown): string {
  return textValues(value).filter((text) => text !== "").join("\n");
}

function collapse(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
