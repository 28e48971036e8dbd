import { isObject } from "../../base/mod.ts";
import { type HandlerFile, sniff } from "../kit/mod.ts";
import type { WrappedTool } from "./config.ts";

/** The wrapped tool's arguments: renamed or moved, files turned into text. */
export async function mapArguments(
  input: { readonly [key: string]: unknown },
  mapping: Pick<WrappedTool, "arguments" | "files">,
): Promise<Record<string, unknown>> {
  const mapped: Record<string, unknown> = {};
  for (const [name, target] of Object.entries(mapping.arguments)) {
    if (input[name] === undefined) continue;
    place(mapped, target, await handOver(input[name], mapping.files));
  }
  return mapped;
}

function place(into: Record<string, unknown>, target: string, value: unknown): void {
  const steps = target.startsWith("/") ? target.slice(1).split("/") : [target];
  const last = steps.pop() ?? "";
  const holder = steps.reduce<Record<string, unknown>>((at, step) => {
    const next = Object.hasOwn(at, step) ? at[step] : undefined;
    return isObject(next) ? next : own(at, step, {});
  }, into);
  own(holder, last, value);
}

/** Sets a property of the object itself, whatever its name (`__proto__` too). */
function own<T>(object: Record<string, unknown>, name: string, value: T): T {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  return value;
}

async function handOver(value: unknown, form: WrappedTool["files"]): Promise<unknown> {
  if (Array.isArray(value)) return await Promise.all(value.map((part) => handOver(part, form)));
  if (!isObject(value)) return value;
  if (isFile(value)) return await fileText(value, form);
  if (typeof value["write"] === "function") {
    throw new Error("a wrapped MCP server cannot write a handler-output-file");
  }
  const parts = Object.entries(value).map(async ([key, part]) => [key, await handOver(part, form)] as const);
  return Object.fromEntries(await Promise.all(parts));
}

function isFile(value: object): value is HandlerFile {
  return "kind" in value && value.kind === "file" && "bytes" in value && typeof value.bytes === "function";
}

async function fileText(file: HandlerFile, form: WrappedTool["files"]): Promise<string> {
  if (form === "text") return new TextDecoder().decode(await file.bytes());
  const base64 = await file.base64();
  if (form === "base64") return base64;
  return `data:${sniff(await file.bytes()) ?? file.mediaType};base64,${base64}`;
}
