import { isObject } from "../../base/mod.ts";

/** Where the wrapped server is. */
export type WrappedServer =
  | { readonly command: readonly [program: string, ...arguments_: string[]] }
  | { readonly url: string };

/** How one tool of the interface becomes one of the server's. */
export interface WrappedTool {
  readonly tool: string;
  /** The interface's argument to the server's; a name that starts with `/` is a path into nested objects. */
  readonly arguments: Readonly<Record<string, string>>;
  readonly files: "base64" | "data-url" | "text";
  /** See `template.ts`; undefined hands the server's data on as it is. */
  readonly result: unknown;
}

/** What HANDLER_WRAP holds. */
export interface Wrap {
  readonly server: WrappedServer;
  readonly tools: Readonly<Record<string, WrappedTool>>;
}

/** Reads HANDLER_WRAP, and the address out of the variable that it names; what it throws names the part that is wrong. */
export function readWrap(text: string, env: Readonly<Record<string, string>>): Wrap {
  const value = JSON.parse(text);
  if (!isObject(value) || !isObject(value["tools"])) throw wrong("tools", "an object");
  const tools = Object.entries(value["tools"]).map(([name, tool]) => [name, readTool(name, tool)] as const);
  return { server: readServer(value["server"], env), tools: Object.fromEntries(tools) };
}

function readServer(value: unknown, env: Readonly<Record<string, string>>): WrappedServer {
  const { command, urlVariable } = isObject(value) ? value : {};
  const url = typeof urlVariable === "string" ? env[urlVariable] : undefined;
  if (url !== undefined && URL.canParse(url)) return { url };
  if (Array.isArray(command) && command.every((part) => typeof part === "string")) {
    const [program, ...rest] = command;
    if (program) return { command: [program, ...rest] };
  }
  throw wrong("server", "a command of at least one word, or the variable of an address");
}

function readTool(name: string, value: unknown): WrappedTool {
  if (!isObject(value) || typeof value["tool"] !== "string") throw wrong(`tools.${name}.tool`, "a name");
  const names = value["arguments"] ?? {};
  if (!isObject(names) || !Object.values(names).every((target) => typeof target === "string")) {
    throw wrong(`tools.${name}.arguments`, "names to names");
  }
  const files = value["files"] ?? "base64";
  if (files !== "base64" && files !== "data-url" && files !== "text") {
    throw wrong(`tools.${name}.files`, "base64, data-url or text");
  }
  return { tool: value["tool"], arguments: names as Record<string, string>, files, result: value["result"] };
}

function wrong(key: string, rule: string): Error {
  return new Error(`HANDLER_WRAP: ${key} must be ${rule}`);
}
