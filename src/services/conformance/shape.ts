import { isObject } from "../../base/mod.ts";
import {
  convert,
  integer,
  json,
  type Kind,
  list,
  oneOf,
  oneOrMore,
  optional,
  patternProblem,
  type Reading,
  record,
  relativePath,
  required,
  text,
} from "../../schema/mod.ts";
import type { TomlTable, TomlValue } from "../../schema/mod.ts";
import { type ConformanceCase, type Expectation, type PropertyRule, RULE_NAMES } from "./expectation.ts";

const COUNT = integer({ min: 0, max: 1_000_000_000 });
const MEDIA_TYPE = text({
  pattern: { rule: 'a media type such as "audio/wav"', test: /^[a-z]+\/[a-z0-9.+-]+$/ },
});

const pattern = convert(text({ max: 500 }), (value, at) => {
  try {
    new RegExp(value, "u");
  } catch {
    return at.problem("must be a regular expression (JavaScript, flag u)");
  }
  const slow = patternProblem(value);
  return slow ? at.problem(slow) : value;
});

const expectation: Kind<Expectation> = {
  rule: "what the case expects: an error, or properties of the result",
  read(value, at) {
    if (!isTable(value)) return at.problem(`must be ${expectation.rule}`);
    if (!Object.hasOwn(value, "error")) return resultOf(value, at);
    const code = text().read(value.error!, at.in("error"));
    if (Object.keys(value).length > 1) {
      return at.problem("an expected error stands alone: the call has no result");
    }
    return code === undefined ? undefined : { kind: "error", code };
  },
};

function resultOf(value: TomlTable, at: Reading): Expectation | undefined {
  const before = at.problems.length;
  const rules = rulesOf(value, [], at);
  if (at.problems.length > before) return undefined;
  if (rules.length === 0) return at.problem("must hold at least one rule");
  return { kind: "result", rules };
}

/** Rules stand at any depth; every other key is a step into the result. */
function rulesOf(table: TomlTable, path: readonly string[], at: Reading): readonly PropertyRule[] {
  return Object.entries(table).flatMap(([key, value]): readonly PropertyRule[] => {
    const here = at.in(key);
    if (isRule(key)) return ruleOf(key, value, path, here);
    if (isTable(value)) return rulesOf(value, [...path, key], here);
    here.problem(`must be a table with further steps, or one of the rules ${RULE_NAMES.join(", ")}`);
    return [];
  });
}

function ruleOf(
  rule: (typeof RULE_NAMES)[number],
  value: TomlValue,
  path: readonly string[],
  at: Reading,
): readonly PropertyRule[] {
  const made = <T, R extends PropertyRule>(kind: Kind<T>, make: (value: T) => R): readonly PropertyRule[] => {
    const read = kind.read(value, at);
    return read === undefined ? [] : [make(read)];
  };
  switch (rule) {
    case "minItems":
    case "maxItems":
      return made(COUNT, (value) => ({ path, rule, value }));
    case "minBytes":
      return made(COUNT, (value) => ({ path, rule, value }));
    case "contains":
      return made(oneOrMore(text()), (value) => ({ path, rule, value }));
    case "matches":
      return made(pattern, (value) => ({ path, rule, value }));
    case "mediaType":
      return made(MEDIA_TYPE, (value) => ({ path, rule, value }));
    case "error":
      at.problem("an error is expected of the whole call: write expect.error");
      return [];
  }
}

function isRule(key: string): key is (typeof RULE_NAMES)[number] {
  return (RULE_NAMES as readonly string[]).includes(key);
}

function isTable(value: TomlValue): value is TomlTable {
  return isObject(value) && !(value instanceof Date);
}

const caseShape: Kind<ConformanceCase> = record({
  name: required(text({ max: 120 })),
  tool: required(text({ max: 64 })),
  input: required(convert(json, (value, at) => isObject(value) ? value : at.problem("must be a table"))),
  generate: optional(record({
    path: required(relativePath),
    bytes: required(integer({ min: 0, max: 1_000_000_000 })),
    from: optional(relativePath),
  })),
  expect: required(expectation),
});

/** `conformance/cases.toml`; it may say `apiVersion = "handler.conformance/v1"`. */
export const casesShape = record({
  apiVersion: optional(oneOf("handler.conformance/v1")),
  case: required(list(caseShape, { min: 1 })),
  unprovoked: optional(list(record({ error: required(text()), why: required(text({ max: 400 })) })), []),
});
