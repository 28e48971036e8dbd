import type { HandlerError as Problem, Json } from "$client";
import { HandlerError } from "$client";
import { router } from "$lib/router.svelte.ts";
import {
  fileFieldOf,
  filled,
  initial,
  isRecord,
  kindOf,
  propertiesOf,
  resolved,
  type Tool,
} from "$lib/schema.ts";
import { t } from "$texts";
import type { TrialFolder } from "./trial.svelte.ts";

/** What stands in a form. */
export type Input = { [key: string]: Json | undefined };

/** What was last typed for a tool in this window, else what its schema begins with. */
export function inputFor(tool: Tool): Input {
  const kept = sessionStorage.getItem(keyOf(tool));
  const begun = initial(tool.inputSchema, tool.inputSchema);
  const base = isRecord(begun) ? begun : {};
  return kept === null ? { ...base } : { ...base, ...(JSON.parse(kept) as Input) };
}

/** Keeps what is typed until the window is closed. */
export function keepInput(tool: Tool, input: Input): void {
  sessionStorage.setItem(keyOf(tool), JSON.stringify(filled(input)));
}

/** Takes the file that the URL names; one that is not in the folder any more is left out. */
export function takeFile(tool: Tool, input: Input, folder: TrialFolder): void {
  const [file, field] = [router.query.get("file"), fileFieldOf(tool.inputSchema)];
  if (field === undefined) return;
  const now = input[field];
  if (file !== null && folder.find(file)) input[field] = file;
  else if (typeof now === "string" && !folder.find(now)) input[field] = "";
}

function keyOf({ name }: Tool): string {
  return `handler-try ${name}`;
}

/** What is missing before anything need be asked, at its place. */
export function missingIn(tool: Tool, input: Input): readonly Problem[] {
  return propertiesOf(tool.inputSchema).flatMap(({ name, schema, required }) => {
    const value = input[name];
    if (!required || (value !== undefined && value !== "" && value !== null)) return [];
    const file = kindOf(resolved(schema, tool.inputSchema)) === "file";
    return [at(`/${name}`, t(file ? "services.tryIt.fileMissing" : "services.tryIt.missing"))];
  });
}

/** A refusal of the router, `/languages/0: must match …`, at the place that it names. */
export function refusalOf(message: string): Problem {
  const found = /^(\/\S*): (.*)$/s.exec(message);
  const path = found?.[1] === "/" ? "" : found?.[1] ?? "";
  return at(path, found?.[2] ?? message);
}

function at(path: string, message: string): Problem {
  return new HandlerError("usage", message, { where: { key: path } });
}
