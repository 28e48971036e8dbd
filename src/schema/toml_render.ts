import { HandlerError } from "../base/mod.ts";
import { tomlKey, tomlString } from "./toml_path.ts";

/** A value that an edit can write. */
export type EditValue =
  | string
  | number
  | bigint
  | boolean
  | readonly EditValue[]
  | { readonly [key: string]: EditValue };

/** Whether a value to write is a table. */
export function isEditTable(value: EditValue): value is { readonly [key: string]: EditValue } {
  return typeof value === "object" && !Array.isArray(value);
}

/** A value as TOML writes it on one line. @throws {HandlerError} `usage` for half of a surrogate pair */
export function renderToml(value: EditValue): string {
  if (typeof value === "string") return renderText(value);
  if (typeof value === "number") return renderNumber(value);
  if (!isEditTable(value)) {
    return Array.isArray(value) ? `[${value.map(renderToml).join(", ")}]` : String(value);
  }
  const entries = Object.entries(value).map(([key, part]) => `${tomlKey(key)} = ${renderToml(part)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function renderText(text: string): string {
  if (!text.isWellFormed()) throw new HandlerError("usage", "a text to write must be well-formed Unicode");
  return tomlString(text);
}

function renderNumber(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  return String(value).replace(/^(-?)(\d)e/, "$1$2.0e");
}
