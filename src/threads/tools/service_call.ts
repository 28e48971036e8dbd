import { isObject, type Json, type JsonObject } from "../../base/mod.ts";
import { ensureFolder, readBytes } from "../../platform/mod.ts";
import { compileFileFinder, type FileFinder, type FilePlace, type Schema } from "../../schema/mod.ts";
import type { RunContext } from "../state/context.ts";
import { threadPath, writeThreadFile } from "../state/files.ts";
import { ServiceFailure, type ServiceTool } from "../ports.ts";
import { failure, success, type ToolResult } from "./tool_result.ts";

const finders = new WeakMap<object, FileFinder | "none">();
const TYPES: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  json: "application/json",
  txt: "text/plain",
  md: "text/markdown",
  csv: "text/csv",
  html: "text/html",
};

/**
 * Calls a tool of a service for a thread, in the thread's own folder of files. An error of the interface is the result;
 * files that the service wrote become files of the thread.
 */
export async function callService(
  context: RunContext,
  interfaceId: string,
  tool: ServiceTool,
  args: Json,
): Promise<ToolResult> {
  const { engine, thread, project, signal } = context;
  const folder = `${engine.ports.filesFolder}/${thread}`;
  await ensureFolder(folder);
  const places = placesIn(tool, args);
  try {
    const given = relative(args, places);
    const progress = (text: string) =>
      engine.watchers.delta(thread, { type: "progress", name: tool.name, text });
    const value = await engine.ports.services.call(project, folder, interfaceId, tool.name, given, {
      signal,
      progress,
    });
    for (const { format, value: path } of places) {
      if (format === "handler-output-file") await takeIn(context, folder, threadPath(tool.name, path));
    }
    return success(typeof value === "string" ? value : JSON.stringify(value));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceFailure)) throw error;
    return failure(error.message, error.code);
  }
}

function placesIn(tool: ServiceTool, args: Json): readonly FilePlace[] {
  if (!isObject(tool.inputSchema)) return [];
  let finder = finders.get(tool.inputSchema);
  if (finder === undefined) {
    finders.set(tool.inputSchema, finder = compileFileFinder(tool.inputSchema as Schema) ?? "none");
  }
  return finder === "none" ? [] : finder(args);
}

/** Paths of a thread's files begin with "/"; for a service they lie in its folder. */
function relative(args: Json, places: readonly FilePlace[]): Json {
  const copy = structuredClone(args);
  for (const { path, value } of places) {
    let at = copy as { [key: string | number]: Json };
    for (const step of path.slice(0, -1)) at = at[step] as typeof at;
    at[path.at(-1)!] = value.replace(/^\/+/, "");
  }
  return copy as JsonObject;
}

async function takeIn(context: RunContext, folder: string, path: string): Promise<void> {
  const mimeType = TYPES[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? "application/octet-stream";
  const bytes = await readBytes(folder + path);
  await writeThreadFile(context, context.thread, { path, bytes, mimeType, metadata: null });
}
