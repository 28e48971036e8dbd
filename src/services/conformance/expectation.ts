import type { JsonObject } from "../../base/mod.ts";

/** How a call through the router ended, as a check sees it. */
export type Answer =
  | { readonly kind: "result"; readonly value: JsonObject }
  | {
    readonly kind: "error";
    readonly code: string;
    readonly message: string;
    /** What the call record says of it: the property and the rule, never a value (contract S.16). */
    readonly detail: string | undefined;
    /** Whether the router blames the connector: an undeclared code, a withheld message, a result that does not fit. */
    readonly connectorAtFault: boolean;
  };

/** A file that a connector wrote for a `handler-output-file`. */
export interface OutputFile {
  readonly bytes: number;
  /** What its first bytes tell; undefined where they tell nothing. */
  readonly mediaType: string | undefined;
}

/** One property that a result must have (contract S.17). `path` is empty for the whole result. */
export type PropertyRule =
  | { readonly path: readonly string[]; readonly rule: "minItems" | "maxItems"; readonly value: number }
  | { readonly path: readonly string[]; readonly rule: "contains"; readonly value: readonly string[] }
  | { readonly path: readonly string[]; readonly rule: "matches"; readonly value: string }
  | { readonly path: readonly string[]; readonly rule: "mediaType"; readonly value: string }
  | { readonly path: readonly string[]; readonly rule: "minBytes"; readonly value: number };

/** What a case expects: an error with this code, or a result with these properties. */
export type Expectation =
  | { readonly kind: "error"; readonly code: string }
  | { readonly kind: "result"; readonly rules: readonly PropertyRule[] };

/** The words that are rules wherever they stand below `expect`; any other word is a step into the result. */
export const RULE_NAMES = [
  "minItems",
  "maxItems",
  "contains",
  "matches",
  "error",
  "mediaType",
  "minBytes",
] as const;

/** A file that is made when the check runs, because it is too large to keep. */
export interface GeneratedFile {
  readonly path: string;
  readonly bytes: number;
  /** A fixture that it begins with; the rest is zero bytes. */
  readonly from: string | undefined;
}

/** One case of an interface's conformance (seed §4.4). */
export interface ConformanceCase {
  readonly name: string;
  readonly tool: string;
  /** As an agent would give it; file names are those of the fixtures. */
  readonly input: JsonObject;
  readonly generate: GeneratedFile | undefined;
  readonly expect: Expectation;
}

/** An error that no case provokes, and why that is so. */
export interface Unprovoked {
  readonly error: string;
  readonly why: string;
}

/** `conformance/cases.toml`. */
export interface ConformanceCases {
  readonly cases: readonly ConformanceCase[];
  readonly unprovoked: readonly Unprovoked[];
}

/** What is wrong with an answer. `at` is the key in the case, such as `expect.pages.minItems`. */
export interface Finding {
  readonly at: string;
  readonly message: string;
}
