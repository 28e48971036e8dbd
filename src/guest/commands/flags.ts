import { isObject } from "../../base/mod.ts";
import type { ListedTool } from "./client.ts";

/** A flag made from one property of a tool's input. */
export interface Flag {
  readonly property: string;
  /** `max-tokens` for the property `maxTokens`. */
  readonly name: string;
  readonly kind: "text" | "number" | "integer" | "boolean" | "json";
  /** May be given more than once; the values make a list. */
  readonly repeated: boolean;
  readonly required: boolean;
  readonly description: string;
  /** The values it can have, where they are few. */
  readonly choices: readonly string[];
}

/** A wrong flag or value; the text says the rule and what was found. */
export class FlagError extends Error {
  override readonly name = "FlagError";
}

/** The flags of a tool, in the order of its schema, required ones first. */
export function flagsOf(tool: ListedTool): readonly Flag[] {
  const properties = isObject(tool.inputSchema.properties) ? tool.inputSchema.properties : {};
  const required = Array.isArray(tool.inputSchema.required) ? tool.inputSchema.required : [];
  return Object.entries(properties)
    .map(([property, schema]) => flagOf(tool, property, schema, required.includes(property)))
    .sort((a, b) => Number(b.required) - Number(a.required));
}

function flagOf(tool: ListedTool, property: string, given: unknown, required: boolean): Flag {
  const schema = resolved(tool.inputSchema, given);
  const items = schema.type === "array" ? resolved(tool.inputSchema, schema.items) : undefined;
  const repeated = items !== undefined && kindOf(items) !== "json";
  const described = typeof schema.description === "string" ? schema.description : "";
  const choices = Array.isArray((items ?? schema).enum)
    ? ((items ?? schema).enum as unknown[]).map(String)
    : [];
  return {
    property,
    name: property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-"),
    kind: kindOf(repeated ? items : schema),
    repeated,
    required,
    description: described,
    choices,
  };
}

function resolved(
  root: { readonly [key: string]: unknown },
  schema: unknown,
): { readonly [key: string]: unknown } {
  if (!isObject(schema)) return {};
  if (typeof schema.$ref !== "string" || !schema.$ref.startsWith("#/")) return schema;
  let at: unknown = root;
  for (const part of schema.$ref.slice(2).split("/")) {
    at = isObject(at) ? at[decodeURIComponent(part)] : undefined;
  }
  return isObject(at) ? at : {};
}

function kindOf(schema: { readonly [key: string]: unknown }): Flag["kind"] {
  switch (schema.type) {
    case "string":
      return "text";
    case "number":
    case "integer":
    case "boolean":
      return schema.type;
    default:
      return "json";
  }
}

/** What a command line gave: the tool's input, and what belongs to the program itself. */
export interface ParsedFlags {
  readonly input: Record<string, unknown>;
  readonly json: boolean;
  readonly help: boolean;
}

/** Reads `--flag value`, `--flag=value`, `--switch`, `--no-switch`, `--input JSON` and `--json`. */
export function parseFlags(tool: ListedTool, args: readonly string[]): ParsedFlags {
  const flags = flagsOf(tool);
  let input: Record<string, unknown> = {};
  let json = false, help = false;
  for (let at = 0; at < args.length; at++) {
    const given = args[at]!;
    if (given === "--json") json = true;
    else if (given === "--help" || given === "-h") help = true;
    else {
      if (!given.startsWith("--")) {
        throw new FlagError(`a flag such as --name was expected, found "${given}"`);
      }
      const [name, inline] = halves(given.slice(2));
      const take = () => {
        const value = inline ?? args[++at];
        if (value === undefined) throw new FlagError(`--${name} takes a value`);
        return value;
      };
      if (name === "input") input = { ...input, ...wholeInput(take()) };
      else if (!setFlag(flags, input, name, inline, take)) throw new FlagError(unknownFlag(flags, name));
    }
  }
  return { input, json, help };
}

function halves(text: string): [string, string | undefined] {
  const at = text.indexOf("=");
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function setFlag(
  flags: readonly Flag[],
  input: Record<string, unknown>,
  name: string,
  inline: string | undefined,
  take: () => string,
): boolean {
  const flag = flags.find((one) => one.name === name || one.property === name);
  if (flag?.kind === "boolean" && !flag.repeated) {
    input[flag.property] = inline === undefined ? true : valueOf(flag, inline);
    return true;
  }
  if (flag) {
    const value = valueOf(flag, take());
    const before = input[flag.property];
    if (flag.repeated) input[flag.property] = [...(Array.isArray(before) ? before : []), value];
    else if (before !== undefined) throw new FlagError(`--${name} was given twice and takes one value`);
    else input[flag.property] = value;
    return true;
  }
  const negated = flags.find((one) => one.kind === "boolean" && name === `no-${one.name}`);
  if (negated) input[negated.property] = false;
  return negated !== undefined;
}

function valueOf(flag: Flag, text: string): unknown {
  switch (flag.kind) {
    case "text":
      return text;
    case "boolean":
      if (text === "true" || text === "false") return text === "true";
      throw new FlagError(`--${flag.name} is true or false, found "${text}"`);
    case "number":
    case "integer": {
      const value = Number(text);
      const fits = text.trim() !== "" && Number.isFinite(value) &&
        (flag.kind === "number" || Number.isInteger(value));
      if (fits) return value;
      throw new FlagError(
        `--${flag.name} is ${flag.kind === "integer" ? "a whole number" : "a number"}, found "${text}"`,
      );
    }
    case "json":
      try {
        return JSON.parse(text);
      } catch {
        throw new FlagError(`--${flag.name} takes JSON`);
      }
  }
}

function wholeInput(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // said below
  }
  throw new FlagError("--input takes a JSON object");
}

function unknownFlag(flags: readonly Flag[], name: string): string {
  const known = flags.map((flag) => `--${flag.name}`).join(", ") || "none";
  return `there is no flag --${name}; this tool has ${known}`;
}

/** The help of a tool, made from its schema alone. */
export function toolHelp(tool: ListedTool): string {
  const rows = flagsOf(tool).map((flag) => {
    const value = flag.kind === "boolean" && !flag.repeated ? "" : ` ${flag.kind.toUpperCase()}`;
    const marks = [flag.required ? "required" : "", flag.repeated ? "may be repeated" : ""].filter(Boolean);
    if (flag.choices.length > 0) marks.push(`one of ${flag.choices.join(", ")}`);
    return [
      `  --${flag.name}${value}`,
      [flag.description, marks.length ? `(${marks.join("; ")})` : ""].join(" ").trim(),
    ];
  });
  rows.push(["  --input JSON", "the whole input as a JSON object; other flags add to it"]);
  rows.push(["  --json", "print the result as JSON"]);
  const width = Math.max(...rows.map(([flag]) => flag!.length)) + 2;
  const table = rows.map(([flag, text]) => `${flag!.padEnd(width)}${text}`.trimEnd()).join("\n");
  return `Usage: handler-call ${tool.name} [flags]\n\n${tool.description}\n\nFlags:\n${table}\n`;
}
