import { isObject } from "../../base/mod.ts";

type Schema = { readonly [keyword: string]: unknown };

/**
 * Writes the TypeScript types of one JSON Schema. Objects become closed records of `readonly` members, `$ref`s become
 * named types (so a schema may contain itself), Handler's file formats become the kit's types. What a type cannot say
 * (lengths, patterns, ranges) is left to the router's check.
 */
export class TypeWriter {
  /** Kit types that the written ones use. */
  readonly kitTypes = new Set<"HandlerFile" | "HandlerOutput">();
  readonly #root: unknown;
  readonly #prefix: string;
  readonly #names = new Map<string, string>();
  readonly #written: string[] = [];

  /** `prefix` begins the name of every type: `OcrExtractInput`. */
  constructor(root: unknown, prefix: string) {
    this.#root = root;
    this.#prefix = prefix;
    this.#names.set("#", prefix);
  }

  /** All types as declarations, the root's first. */
  declarations(): string {
    const root = this.#declaration(this.#prefix, this.#root);
    return [root, ...this.#written].join("\n");
  }

  #declaration(name: string, schema: unknown): string {
    const type = this.#type(schema, "");
    return isRecord(type) ? `export interface ${name} ${type}\n` : `export type ${name} = ${type};\n`;
  }

  #type(schema: unknown, indent: string): string {
    if (schema === false) return "never";
    if (!isObject(schema)) return "unknown";
    const parts = [
      ...(typeof schema.$ref === "string" ? [this.#named(schema.$ref)] : []),
      ...union(this.#list(schema.anyOf, indent)),
      ...union(this.#list(schema.oneOf, indent)),
      ...this.#list(schema.allOf, indent),
      ...this.#own(schema, indent),
    ];
    return parts.length === 0 ? "unknown" : parts.length === 1 ? parts[0]! : parts.map(grouped).join(" & ");
  }

  #list(schemas: unknown, indent: string): string[] {
    return Array.isArray(schemas) ? schemas.map((schema) => this.#type(schema, indent)) : [];
  }

  /** What the schema says besides references and combinations. */
  #own(schema: Schema, indent: string): string[] {
    if ("const" in schema) return [literal(schema.const)];
    if (Array.isArray(schema.enum)) return union(schema.enum.map(literal));
    return union(typesOf(schema).map((type) => this.#ofType(type, schema, indent)));
  }

  #ofType(type: unknown, schema: Schema, indent: string): string {
    switch (type) {
      case "object":
        return this.#object(schema, indent);
      case "array":
        return this.#array(schema, indent);
      case "string":
        return this.#string(schema.format);
      case "number":
      case "integer":
        return "number";
      case "boolean":
      case "null":
        return type;
      default:
        return "unknown";
    }
  }

  #string(format: unknown): string {
    if (format !== "handler-file" && format !== "handler-output-file") return "string";
    const type = format === "handler-file" ? "HandlerFile" : "HandlerOutput";
    this.kitTypes.add(type);
    return type;
  }

  #array({ items, prefixItems }: Schema, indent: string): string {
    const first = this.#list(prefixItems, indent);
    if (first.length === 0) return `readonly ${grouped(this.#type(items ?? true, indent))}[]`;
    const rest = items === false ? [] : [`...${grouped(this.#type(items ?? true, indent))}[]`];
    return `readonly [${[...first, ...rest].join(", ")}]`;
  }

  #object(schema: Schema, indent: string): string {
    const inner = indent + "  ";
    const required = Array.isArray(schema.required) ? schema.required : [];
    const members = Object.entries(isObject(schema.properties) ? schema.properties : {}).map((
      [name, part],
    ) => ({
      name,
      comment: isObject(part) && typeof part.description === "string" ? part.description : undefined,
      optional: !required.includes(name),
      type: this.#type(part, inner),
    }));
    const open = schema.additionalProperties;
    const others = isObject(open) || open === true ? [this.#type(open, inner)] : [];
    // TypeScript wants every member to fit the index signature
    const index = [...new Set([...others, ...(others.length ? members.map(({ type }) => type) : [])])];
    const lines = [
      ...members.flatMap(({ name, comment, optional, type }) => [
        ...(comment === undefined
          ? []
          : [`${inner}/** ${comment.replaceAll("*/", "* /").replace(/\s+/g, " ")} */`]),
        `${inner}readonly ${memberName(name)}${optional ? "?" : ""}: ${type};`,
      ]),
      ...(index.length ? [`${inner}readonly [name: string]: ${index.join(" | ")};`] : []),
    ];
    return lines.length === 0 ? "Record<string, never>" : `{\n${lines.join("\n")}\n${indent}}`;
  }

  /** The name of the type behind a `$ref`; the type itself is written once. */
  #named(ref: string): string {
    const known = this.#names.get(ref);
    if (known !== undefined) return known;
    const base = this.#prefix + pascal(ref.split("/").at(-1) ?? "");
    const taken = new Set(this.#names.values());
    let name = base;
    for (let count = 2; taken.has(name); count++) name = `${base}${count}`;
    this.#names.set(ref, name);
    this.#written.push(this.#declaration(name, resolve(this.#root, ref)));
    return name;
  }
}

/** The value that a local reference leads to. */
function resolve(root: unknown, ref: string): unknown {
  return ref.split("/").slice(1).reduce<unknown>((at, step) => {
    const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(at)) return at[Number(key)];
    return isObject(at) ? at[key] : undefined;
  }, root);
}

function typesOf(schema: Schema): readonly unknown[] {
  if (schema.type !== undefined) return Array.isArray(schema.type) ? schema.type : [schema.type];
  if (schema.properties !== undefined) return ["object"];
  return schema.items !== undefined || schema.prefixItems !== undefined ? ["array"] : [];
}

function union(types: readonly string[]): string[] {
  const distinct = [...new Set(types)];
  return distinct.length === 0
    ? []
    : [distinct.length === 1 ? distinct[0]! : distinct.map(grouped).join(" | ")];
}

/** In brackets where an operator beside it would take hold of its parts. */
function grouped(type: string): string {
  return /^[\w.]+$|^"(?:[^"\\]|\\.)*"$/.test(type) || isRecord(type) ? type : `(${type})`;
}

/** Whether a type is one record in braces, not several with an operator between them. */
function isRecord(type: string): boolean {
  let depth = 0;
  for (let at = 0; at < type.length; at++) {
    if (type[at] === "{") depth++;
    if (type[at] === "}") depth--;
    if (depth === 0) return at > 0 && at === type.length - 1;
  }
  return false;
}

function literal(value: unknown): string {
  return typeof value === "object" && value !== null ? "unknown" : JSON.stringify(value);
}

/** A member's name as it is written: quoted where it is no identifier. */
export function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** `ocr_extract` to `OcrExtract`. */
export function pascal(name: string): string {
  return name.split(/[^A-Za-z0-9]+/).filter(Boolean).map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join("");
}
