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
export { Reading } from "./reading.ts";
export type { PathProblem } from "./reading.ts";
export { formatPath, tomlKey, tomlString } from "./toml_path.ts";
export type { TomlPath } from "./toml_path.ts";
export { isTable, tomlText } from "./toml_text.ts";
export type { TomlTable, TomlValue } from "./toml_text.ts";
export { removeKey, setKey } from "./toml_edit.ts";
export { renderToml } from "./toml_render.ts";
export type { EditValue } from "./toml_render.ts";
export { compileSchema, DIALECT } from "./compile_schema.ts";
export type { SchemaCheck, SchemaProblem } from "./compile_schema.ts";
export { FILE_FORMATS, FORMATS, isFileFormat } from "./formats.ts";
export type { FileFormat } from "./formats.ts";
export { compileFileFinder, findFiles } from "./file_finder.ts";
export type { FileFinder, FilePlace } from "./file_finder.ts";
export { lintSchema } from "./lint_schema.ts";
export type { LintContext, LintProblem, SchemaSide } from "./lint_problem.ts";
export { patternProblem } from "./pattern.ts";
export { SCHEMA_LIMITS } from "./schema_size.ts";
export { References } from "./schema_walk.ts";
export type { Schema, Subschema } from "./schema_walk.ts";
