import { applyEdits, type JSONPath, modify, parse, type ParseError } from "jsonc-parser";
import { isObject } from "../base/mod.ts";
import type { DefinitionSet } from "../wire/mod.ts";
import { typesFile } from "./types_file.ts";

/** The schema package that definitions import, as the thread host has it. */
export const PROJECT_ZOD = "npm:zod@4.6.7";

/** What the files are made from. */
export interface ProjectTypesInput {
  readonly definitions: DefinitionSet;
  /** The text of `spec.ts` among the guest programs. */
  readonly spec: string;
  /** The project's `deno.json` or `deno.jsonc`; undefined where it has none. */
  readonly denoJson: { readonly name: string; readonly text: string } | undefined;
}

/** What to write so that a plain `deno check` of a project knows its names. */
export interface ProjectTypes {
  /** Paths from the project's folder; a file that stands there already with this text is not among them. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** What a person must do by hand. */
  readonly remarks: readonly string[];
}

const SPEC_HEAD =
  `// Written by "handler threads types": what "@standardagents/spec" is here. Changes are lost.
// deno-lint-ignore-file
// deno-fmt-ignore-file
// @ts-nocheck: a project's own strictness is for its own code
/// <reference path="./types.d.ts" />

`;

const TYPES = "./.agents/types.d.ts";

const IMPORTS: Readonly<Record<string, string>> = {
  "@standardagents/spec": "./.agents/spec.ts",
  zod: PROJECT_ZOD,
};

/** The type files of a project, and what its `deno.json` lacks of them; what stands there stays. */
export function projectTypes({ definitions, spec, denoJson }: ProjectTypesInput): ProjectTypes {
  const own = [
    { path: ".agents/types.d.ts", text: typesFile(definitions) },
    { path: ".agents/spec.ts", text: SPEC_HEAD + spec },
  ];
  const config = extended(denoJson?.text ?? "{}\n");
  const name = denoJson?.name ?? "deno.json";
  const remarks = config.missing.map((what) => `${name}: ${what}`);
  if (config.text === denoJson?.text) return { files: own, remarks };
  return { files: [...own, { path: name, text: config.text }], remarks };
}

interface Extended {
  readonly text: string;
  readonly missing: readonly string[];
}

function extended(text: string): Extended {
  const errors: ParseError[] = [];
  const config: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || !isObject(config)) {
    return {
      text,
      missing: ["it cannot be read, so nothing was added to it", ...byHand(Object.entries(IMPORTS))],
    };
  }
  const imports = withImports(text, config);
  const types = withTypes(imports.text, config);
  return { text: types.text, missing: [...imports.missing, ...types.missing] };
}

function withImports(text: string, config: Readonly<Record<string, unknown>>): Extended {
  const { imports } = config;
  const lacking = Object.entries(IMPORTS).filter(([name]) => !isObject(imports) || !(name in imports));
  if (lacking.length === 0) return { text, missing: [] };
  const isElsewhere = config["importMap"] !== undefined;
  if (isElsewhere || (imports !== undefined && !isObject(imports))) return { text, missing: byHand(lacking) };
  return {
    text: lacking.reduce((now, [name, target]) => set(now, ["imports", name], target), text),
    missing: [],
  };
}

function withTypes(text: string, config: Readonly<Record<string, unknown>>): Extended {
  const options = config["compilerOptions"] ?? {};
  const types = isObject(options) ? options["types"] ?? [] : undefined;
  if (!Array.isArray(types)) return { text, missing: [`add "${TYPES}" to compilerOptions.types`] };
  if (types.includes(TYPES)) return { text, missing: [] };
  return { text: set(text, ["compilerOptions", "types"], [...types, TYPES]), missing: [] };
}

function byHand(entries: readonly (readonly [string, string])[]): readonly string[] {
  return entries.map(([name, target]) => `map "${name}" to "${target}" among its imports`);
}

function set(text: string, path: JSONPath, value: unknown): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: "\n" };
  return applyEdits(text, modify(text, path, value, { formattingOptions }));
}
