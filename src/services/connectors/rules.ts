import type { HandlerError } from "../../base/mod.ts";
import type { Decoded, TomlPath } from "../../schema/mod.ts";
import { brokenValue } from "../bindings.ts";
import { meantHint } from "../hints.ts";
import type { Interface } from "../interface.ts";
import type { ConnectorFile } from "./shape.ts";

type Say = (path: TomlPath, message: string, hint?: string) => void;

/** What the shape cannot say: names that must agree within the manifest, and with the interfaces. */
export function manifestProblems(
  file: Decoded<ConnectorFile>,
  folderName: string,
  interfaces: ReadonlyMap<string, Interface>,
): readonly HandlerError[] {
  const problems: HandlerError[] = [];
  const say: Say = (path, message, hint) => void problems.push(file.problem(path, message, hint));
  const { record } = file;
  if (record === undefined) return problems;
  if (record.name !== folderName) {
    say(["name"], `must be the name of its folder, ${folderName}, found ${record.name}`);
  }
  checkEnv(record, say);
  checkSettings(record, say);
  checkRuntime(record, say);
  checkInterfaces(record, interfaces, say);
  return problems;
}

function checkEnv({ secretSlots, settings }: ConnectorFile, say: Say): void {
  const owners = new Map<string, string>();
  for (const [table, entries] of [["secretSlots", secretSlots], ["settings", settings]] as const) {
    for (const [name, { env }] of Object.entries(entries)) {
      const owner = owners.get(env);
      if (owner !== undefined) {
        say([table, name, "env"], `must be a variable of its own, ${env} is ${owner}'s`);
      }
      owners.set(env, `${table}.${name}`);
    }
  }
}

function checkSettings({ settings }: ConnectorFile, say: Say): void {
  for (const [name, setting] of Object.entries(settings)) {
    const broken = setting.default === undefined ? undefined : brokenValue(setting, setting.default);
    if (broken) say(["settings", name, "default"], broken);
  }
}

function checkRuntime({ runtime, settings, tools }: ConnectorFile, say: Say): void {
  const wraps = runtime.kind === "mcp-stdio" || runtime.kind === "mcp-http";
  if (!wraps && Object.keys(tools).length > 0) {
    say(
      ["tools"],
      "tools are mapped only where an MCP server is wrapped (runtime.command or runtime.urlSetting)",
    );
  }
  if (runtime.kind !== "mcp-http") return;
  const setting = Object.hasOwn(settings, runtime.urlSetting) ? settings[runtime.urlSetting] : undefined;
  if (setting?.type === "url" && (setting.required || setting.default !== undefined)) return;
  const rule = 'must name a setting of type "url" that is required or has a default';
  say(["runtime", "urlSetting"], `${rule}, found ${runtime.urlSetting}`);
}

function checkInterfaces(record: ConnectorFile, interfaces: ReadonlyMap<string, Interface>, say: Say): void {
  const wraps = record.runtime.kind === "mcp-stdio" || record.runtime.kind === "mcp-http";
  record.implements.forEach((id, index) => {
    const known = interfaces.get(id);
    if (!known) {
      const { hint } = meantHint(id, [...interfaces.keys()]);
      say(["implements", index], `must be an interface that is there, found ${id}`, hint);
    }
    for (const { name } of wraps && known ? known.tools : []) {
      if (!Object.hasOwn(record.tools, name)) say(["tools", name], `is missing: ${id} has this tool`);
    }
  });
}
