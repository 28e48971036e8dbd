import { isObject, type Json } from "../../base/mod.ts";

/** What a model said and wants called. */
export interface ReadAnswer {
  /** Null where it said nothing. */
  readonly text: string | null;
  readonly calls: readonly { readonly name: string; readonly arguments: Json }[];
}

/** More calls than these in one answer are a model that runs wild; the rest is not looked at. */
const MOST_CALLS = 64;

/**
 * Reads an answer that may call tools. The form asked for is `{ text, tool_calls }`; a model that wraps it in a fence,
 * talks before it, gives one call alone or the arguments as JSON text is understood too, and plain text is an answer.
 *
 * @param json the answer as the service read it against the schema, where it did
 */
export function readAnswer(text: string, json: Json | undefined): ReadAnswer {
  const found = asAnswer(json) ?? asAnswer(parse(unfenced(text))) ?? asAnswer(parse(embedded(text)));
  return found ?? { text: said(text), calls: [] };
}

/** Whether a text is JSON in the form asked for that was cut off. */
export function looksCutOff(text: string): boolean {
  const start = unfenced(text).trimStart();
  return start.startsWith("{") && parse(start) === undefined;
}

function said(text: unknown): string | null {
  return typeof text === "string" && text.trim() !== "" ? text.trim() : null;
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unfenced(text: string): string {
  return /^\s*```[a-z]*\s*\n([\s\S]*?)(?:\n\s*```\s*)?$/i.exec(text)?.[1] ?? text;
}

/** The object in a text that talks around it. */
function embedded(text: string): string | undefined {
  if (!text.includes('"tool_calls"')) return undefined;
  const start = text.indexOf("{"), end = text.lastIndexOf("}");
  return start >= 0 && end > start ? text.slice(start, end + 1) : undefined;
}

/** Undefined for JSON that is something else: then it is what the model wanted to say. */
function asAnswer(value: unknown): ReadAnswer | undefined {
  if (!isObject(value)) return undefined;
  const keys = Object.keys(value);
  if ("tool_calls" in value || (keys.length === 1 && typeof value["text"] === "string")) {
    const list = Array.isArray(value["tool_calls"]) ? value["tool_calls"] : [];
    return {
      text: said(value["text"] ?? value["content"]),
      calls: list.slice(0, MOST_CALLS).flatMap(asCall),
    };
  }
  return keys.length === 2 && "arguments" in value ? { text: null, calls: asCall(value) } : undefined;
}

function asCall(value: unknown): { name: string; arguments: Json }[] {
  if (!isObject(value)) return [];
  const call = isObject(value["function"]) ? value["function"] : value;
  const { name } = call;
  if (typeof name !== "string" || name === "") return [];
  const given = call["arguments"] ?? {};
  const inText = typeof given === "string" ? parse(given.trim() === "" ? "{}" : given) : undefined;
  return [{ name, arguments: (inText ?? given) as Json }];
}
