import type { Json } from "$client";
import { t } from "$texts";
import { list, number } from "./format.ts";
import { branchesOf, choicesOf, isRecord, kindOf, propertiesOf, resolved, type Schema } from "./schema.ts";

/** A value that a schema asks for, in words, with what it is made of. */
export interface Described {
  readonly name: string;
  readonly required: boolean;
  /** “a list of text”. */
  readonly words: string;
  readonly description: string;
  readonly parts: readonly Described[];
}

const DEPTH = 8;

/** The properties of a schema's outermost record, in plain words. */
export function describe(root: Schema): readonly Described[] {
  return partsOf(root, root, 0);
}

function partsOf(given: Json | undefined, root: Schema, depth: number): readonly Described[] {
  const schema = resolved(given, root);
  if (depth > DEPTH) return [];
  const inner = schema.type === "array" ? schema.items : schema.additionalProperties;
  const branches = branchesOf(schema);
  if (branches) return branches.flatMap((one) => partsOf(one, root, depth + 1));
  if (schema.type === "array" || (!isRecord(schema.properties) && isRecord(inner))) {
    return partsOf(inner, root, depth + 1);
  }
  return propertiesOf(schema).map(({ name, schema: one, required }) => ({
    name,
    required,
    words: words(one, root),
    description: String(resolved(one, root).description ?? ""),
    parts: partsOf(one, root, depth + 1),
  }));
}

/** What a schema asks for, as a few words. */
export function words(given: Json | undefined, root: Schema, depth = 0): string {
  const schema = resolved(given, root);
  const kind = kindOf(schema);
  if (depth > DEPTH) return t("schema.anything");
  switch (kind) {
    case "choice":
      return choiceWords(schema);
    case "integer":
    case "number":
      return rangeWords(kind, schema);
    case "text":
      return textWords(schema);
    case "list":
      return t("schema.list", { of: words(schema.items, root, depth + 1) });
    case "map":
      return t("schema.map", { of: words(schema.additionalProperties, root, depth + 1) });
    case "union":
      return branchesOf(schema)!.map((one) => words(one, root, depth + 1)).join(t("schema.or"));
    default:
      return t(`schema.${kind}`);
  }
}

function choiceWords(schema: Schema): string {
  const choices = choicesOf(schema).map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  return choices.length === 1
    ? t("schema.always", { value: choices[0]! })
    : t("schema.choice", { choices: list(choices, "disjunction") });
}

function textWords({ pattern, maxLength }: Schema): string {
  if (typeof pattern === "string") return t("schema.pattern", { pattern });
  return typeof maxLength === "number" ? t("schema.longest", { n: maxLength }) : t("schema.text");
}

function rangeWords(kind: "integer" | "number", { minimum, maximum }: Schema): string {
  const [least, most] = [minimum, maximum].map((one) => (typeof one === "number" ? number(one) : undefined));
  if (least !== undefined && most !== undefined) return t(`schema.${kind}Between`, { least, most });
  if (least !== undefined) return t(`schema.${kind}From`, { least });
  return most === undefined ? t(`schema.${kind}`) : t(`schema.${kind}To`, { most });
}
