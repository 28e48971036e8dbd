import { errorText, isObject } from "../../base/mod.ts";
import { type ListedTool, ServiceClient, type ToolOutcome } from "./client.ts";
import { type GuestEnvironment, processEnvironment, servicesHere, serviceSocket } from "./environment.ts";
import { FlagError, parseFlags, toolHelp } from "./flags.ts";
import { listed } from "./service.ts";

const USAGE = `Usage: handler-call TOOL [flags]
       handler-call TOOL --help
       handler-call --help

Calls a tool of a service and prints its result: as text, or with --json as JSON.
Exit codes: 0 done, 1 the service failed, 2 bad usage or input, 3 handlerd not reachable, 5 no such tool,
75 not available now, try again later.
`;

/** Calls a service from a script. @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  return await runCall(processEnvironment(args));
}

/** As {@linkcode main}, in given surroundings. */
export async function runCall(guest: GuestEnvironment): Promise<number> {
  const [name, ...rest] = guest.args;
  if (name === undefined) {
    guest.err(USAGE);
    return 2;
  }
  try {
    if (name === "--help" || name === "-h") {
      guest.out(USAGE + await toolList(guest));
      return 0;
    }
    const found = await findTool(guest, name);
    if (!found) {
      guest.err(`handler-call: no tool "${name}" here; ${listed(servicesHere(guest))}\n`);
      return 5;
    }
    using client = found.client;
    return await callTool(guest, client, found.tool, rest);
  } catch (error) {
    return failed(guest, error);
  }
}

function failed(guest: GuestEnvironment, error: unknown): number {
  if (error instanceof FlagError) {
    guest.err(`handler-call: ${error.message}\n`);
    return 2;
  }
  guest.err(`handler-call: handlerd cannot be reached: ${errorText(error)}\n`);
  return 3;
}

async function callTool(
  guest: GuestEnvironment,
  client: ServiceClient,
  tool: ListedTool,
  args: readonly string[],
): Promise<number> {
  const { input, json, help } = parseFlags(tool, args);
  if (help) {
    guest.out(toolHelp(tool));
    return 0;
  }
  return report(guest, tool.name, await cancellable((signal) => client.call(tool.name, input, signal)), json);
}

/** Runs a call that Ctrl-C cancels at the service before the program ends. */
export async function cancellable(call: (signal: AbortSignal) => Promise<ToolOutcome>): Promise<ToolOutcome> {
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  Deno.addSignalListener("SIGINT", interrupt);
  Deno.addSignalListener("SIGTERM", interrupt);
  try {
    return await call(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return { ok: false, code: "cancelled", message: "the call was cancelled" };
  } finally {
    Deno.removeSignalListener("SIGINT", interrupt);
    Deno.removeSignalListener("SIGTERM", interrupt);
  }
}

/** Prints an outcome and gives the exit code that stands for it. */
export function report(guest: GuestEnvironment, what: string, outcome: ToolOutcome, json: boolean): number {
  if (outcome.ok) {
    guest.out((json ? outcome.text : readable(outcome.structured)) + "\n");
    return 0;
  }
  const { code, message } = outcome;
  if (json) guest.out(JSON.stringify({ error: code, message }) + "\n");
  guest.err(`${what}: ${code}: ${message}\n`);
  if (code === "invalid_input") return 2;
  return code === "unavailable" || code === "limit" ? 75 : 1;
}

/**
 * A result as a person reads it: the texts of its `text` members, the shallowest ones, in order, apart by an empty
 * line; where it has none, JSON.
 */
export function readable(structured: unknown): string {
  const texts = shallowTexts([structured]);
  return texts.length > 0
    ? texts.map((text) => text.trimEnd()).join("\n\n")
    : JSON.stringify(structured, null, 2);
}

function shallowTexts(level: readonly unknown[]): readonly string[] {
  const parts = level.flatMap((value) => Array.isArray(value) ? value : [value]).filter(isObject);
  if (parts.length === 0) return [];
  const texts = parts.flatMap((part) => typeof part.text === "string" ? [part.text] : []);
  return texts.length > 0 ? texts : shallowTexts(parts.flatMap((part) => Object.values(part)));
}

async function findTool(guest: GuestEnvironment, name: string) {
  for (const service of likelyFirst(servicesHere(guest), name)) {
    const client = await ServiceClient.connect(serviceSocket(guest, service)!);
    const tool = (await client.tools()).find((one) => one.name === name);
    if (tool) return { client, tool };
    client[Symbol.dispose]();
  }
  return undefined;
}

/** A tool's name begins with its interface's (seed S5), so that socket is asked first. */
function likelyFirst(services: readonly string[], tool: string): readonly string[] {
  const fits = (service: string) => tool.startsWith(`${service.replaceAll("-", "_")}_`) ? 0 : 1;
  return [...services].sort((a, b) => fits(a) - fits(b));
}

async function toolList(guest: GuestEnvironment): Promise<string> {
  const rows: string[] = [];
  for (const service of servicesHere(guest)) {
    using client = await ServiceClient.connect(serviceSocket(guest, service)!);
    for (const tool of await client.tools()) rows.push(`  ${tool.name}  ${tool.description}`);
  }
  return rows.length === 0 ? "\nThis sandbox has no services.\n" : `\nTools here:\n${rows.join("\n")}\n`;
}
