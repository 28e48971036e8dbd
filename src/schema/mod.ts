/**
 * Strict TOML to typed records, edits that keep a person's comments, and JSON Schema 2020-12: compile, lint, and where
 * files stand in a value.
 * @module
 */
export { decodeToml, decodeTomlFile } from "./decode.ts";
export type { Decoded, DecodeOptions } from "./decode.ts";
export { convert, leaf, unshown } from "./kind.ts";
export type { Kind, ValueOf } from "./kind.ts";
export {
  boolean,
  envName,
  integer,
  name,
  number,
  oneOf,
  size,
  sizeText,
  slotName,
  text,
} from "./kinds_plain.ts";
export type { TextRule } from "./kinds_plain.ts";
export { absolutePath, hostPort, interfaceId, relativePath, url } from "./kinds_place.ts";
export { exactlyOne, json, list, map, oneOrMore, optional, record, required } from "./kinds_compound.ts";
export type { Field, Fields, OneOfKeys, RecordOf } from "./kinds_compound.ts";
export { found, foundType, quoted } from "./found.ts";
export { nearest } from "./nearest.ts";
export { Reading } from "./reading.ts";
export type { PathProblem } from "./reading.ts";
export { formatPath, tomlKey, tomlString } from "./toml_path.ts";
export type { TomlPath } from "./toml_path.ts";
export type { TomlTable, TomlValue } from "./toml_text.ts";
