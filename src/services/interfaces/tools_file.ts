import { HandlerError, isObject, type JsonObject } from "../../base/mod.ts";
import { formatPath, type SchemaSide } from "../../schema/mod.ts";
import type { ToolDefinition } from "../interface.ts";
import { deepest, type JsonPath, jsonPlaces, placeAt } from "./json_places.ts";
import { hiddenCharacters, textsOf } from "./lint_text.ts";

/** A tool's description may have so many characters: what the model providers take. */
const LONGEST_DESCRIPTION = 1024;
/** Clients show a tool as `mcp__<interface>__<tool>`, which providers limit to 64 characters. */
const LONGEST_SHOWN_NAME = 64;
const LARGEST_FILE = 256 * 1024;
const MOST_TOOLS = 64;
/** The router bounds messages by the same (contract S.11). */
const MAX_DEPTH = 64;
const KEYS = ["name", "description", "inputSchema", "outputSchema"];

/** What stands in a `tools.json`, and everything that is wrong with it. */
export interface ToolsRead {
  readonly tools: readonly ToolDefinition[];
  readonly problems: readonly HandlerError[];
}

/** Says what is wrong at a path of the JSON text. */
export type SayAt = (path: JsonPath, message: string, hint?: string) => void;

/** Checks one tool's schema and says what is wrong, with paths from the schema's root. */
export type CheckSchema = (schema: JsonObject, side: SchemaSide, tool: string, say: SayAt) => void;

/**
 * Reads a `tools.json` (seed §4.1): a JSON array of tools with exactly `name`, `description`, `inputSchema` and
 * `outputSchema`, names beginning with the interface's (S5), no text with characters that a reviewer does not see.
 */
export function readTools(text: string, file: string, owner: string, checkSchema: CheckSchema): ToolsRead {
  const value = parseTools(text, file);
  if (value instanceof HandlerError) return { tools: [], problems: [value] };
  const { placeOf, repeated } = jsonPlaces(text);
  const problems: HandlerError[] = [];
  const say: SayAt = (path, message, hint) => {
    const where = { file, ...placeOf(path), key: formatPath(path) };
    problems.push(new HandlerError("invalid", message, { where, ...(hint === undefined ? {} : { hint }) }));
  };
  for (const path of repeated) say(path, "must stand once in its object");
  checkTexts(value, say);
  const tools = value.map((tool, index) =>
    readTool(tool, owner, (path, ...rest) => say([index, ...path], ...rest))
  );
  sayRepeatedNames(tools, say);
  tools.forEach((tool, index) => {
    for (const side of tool ? ["input", "output"] as const : []) {
      const key = `${side}Schema` as const;
      checkSchema(tool![key], side, tool!.name, (path, ...rest) => say([index, key, ...path], ...rest));
    }
  });
  return { tools: tools.filter((tool) => tool !== undefined), problems };
}

function parseTools(text: string, file: string): readonly unknown[] | HandlerError {
  const refuse = (message: string, offset = 0) =>
    new HandlerError("invalid", message, { where: { file, ...placeAt(text, offset) } });
  if (text.length > LARGEST_FILE) {
    return refuse(`must have at most ${LARGEST_FILE} characters, found ${text.length}`);
  }
  try {
    const value: unknown = JSON.parse(text);
    const depth = deepest(text);
    if (depth > MAX_DEPTH) return refuse(`must nest at most ${MAX_DEPTH} levels deep, found ${depth}`);
    if (Array.isArray(value) && value.length > 0 && value.length <= MOST_TOOLS) return value;
    return refuse(`must be a JSON array of 1 to ${MOST_TOOLS} tools`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse(`must be JSON: ${error.message}`, Number(/position (\d+)/.exec(error.message)?.[1] ?? 0));
  }
}

function readTool(tool: unknown, owner: string, say: SayAt): ToolDefinition | undefined {
  if (!isObject(tool)) return void say([], "must be a JSON object: a tool");
  for (const key of Object.keys(tool)) {
    if (!KEYS.includes(key)) say([key], "unknown key", `the keys of a tool are ${KEYS.join(", ")}`);
  }
  const { name, description, inputSchema, outputSchema } = tool;
  const named = checkName(name, owner, say);
  const described = checkDescription(description, say);
  if (!isObject(inputSchema)) say(["inputSchema"], "must be a JSON object: a schema");
  if (!isObject(outputSchema)) say(["outputSchema"], "must be a JSON object: a schema");
  if (!named || !described || !isObject(inputSchema) || !isObject(outputSchema)) return undefined;
  return {
    name: name as string,
    description: description as string,
    inputSchema: inputSchema as JsonObject,
    outputSchema: outputSchema as JsonObject,
  };
}

/** The literal prefix keeps two interfaces apart: an interface's name holds no `_` (S5). */
function checkName(name: unknown, owner: string, say: SayAt): boolean {
  const rule = `must be "${owner}_" and then words of a-z, 0-9 and '_'`;
  if (
    typeof name !== "string" || !name.startsWith(`${owner}_`) || !/^[a-z0-9_-]+_[a-z][a-z0-9_]*$/.test(name)
  ) {
    say(["name"], `${rule}, found ${JSON.stringify(name) ?? "nothing"}`);
    return false;
  }
  const shown = `mcp__${owner}__${name}`;
  if (shown.length > LONGEST_SHOWN_NAME) {
    say(
      ["name"],
      `must be so short that ${shown} has at most ${LONGEST_SHOWN_NAME} characters, found ${shown.length}`,
    );
  }
  return true;
}

function checkDescription(description: unknown, say: SayAt): boolean {
  const length = typeof description === "string" ? description.trim().length : 0;
  if (length > 0 && length <= LONGEST_DESCRIPTION) return true;
  say(["description"], `must be a text of 1 to ${LONGEST_DESCRIPTION} characters, found ${length}`);
  return false;
}

function sayRepeatedNames(tools: readonly (ToolDefinition | undefined)[], say: SayAt): void {
  tools.forEach((tool, index) => {
    if (tool && tools.findIndex((other) => other?.name === tool.name) < index) {
      say([index, "name"], `must be a name of its own, ${tool.name} stands above`);
    }
  });
}

/** Escapes such as `\u200b` are decoded here, so they are found too. */
function checkTexts(value: unknown, say: SayAt): void {
  for (const { path, text } of textsOf(value)) {
    const hidden = hiddenCharacters(text)[0];
    if (hidden) say(path, `must hold no character that is not seen, found ${hidden.name}`);
  }
}
