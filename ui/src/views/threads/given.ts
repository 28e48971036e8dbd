import { HandlerError, type Json } from "$client";
import { t } from "$texts";

/** What a thread is begun with, from JSON text; nothing is an empty record. @throws {HandlerError} of the field `arguments` */
export function argumentsOf(text: string): { readonly [key: string]: Json } {
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as { [key: string]: Json };
  }
  throw new HandlerError("invalid", t("threads.argumentsWrong"), { where: { key: "arguments" } });
}

/** Variables, one `NAME=value` a line. @throws {HandlerError} of the field `env` */
export function variablesOf(text: string): Readonly<Record<string, string>> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(lines.map((line) => {
    const [, name, value] = /^\s*([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$/.exec(line) ?? [];
    if (name !== undefined) return [name, value!.trim()];
    throw new HandlerError("invalid", t("threads.variableWrong", { line: line.trim() }), {
      where: { key: "env" },
    });
  }));
}
