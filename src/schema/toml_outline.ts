import type { TomlPath } from "./toml_path.ts";
import { type KeyPart, TomlScanner } from "./toml_scan.ts";

/** A key with its value (in a table or an inline table), or an element of an array. Offsets into the text. */
export interface OutlineEntry {
  /** The key's first letter; for an element the value's. */
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** The lines under one `[header]`, or those before the first. */
export interface OutlineSection {
  readonly node: OutlineNode;
  /** The header's bracket; 0 for the lines before the first. */
  readonly start: number;
  /** The end of the header's line. */
  readonly headerEnd: number;
  readonly entries: OutlineEntry[];
}

/** What holds entries: a section, an inline table or an array. */
export type OutlineHost = OutlineSection | OutlineNode;

/** How a table came to be that only dotted keys made: `a.b = 1` makes `a`. */
export interface DottedOrigin {
  readonly host: OutlineHost;
  /** The key as it is written down to this table. */
  readonly prefix: string;
  readonly lastEntry: OutlineEntry;
}

/** One table, array or value of a document and where it stands in the text. */
export interface OutlineNode {
  readonly kind: "value" | "array" | "inline" | "table" | "tables";
  /** Where its key (or the element) stands first. */
  at: number;
  readonly children: Map<string, OutlineNode>;
  /** For inline tables and arrays. */
  readonly entries: OutlineEntry[];
  /** For values, inline tables and arrays: the entry that holds it and where that stands. */
  entry?: OutlineEntry;
  host?: OutlineHost;
  /** For tables with a header of their own. */
  section?: OutlineSection;
  dotted?: DottedOrigin;
}

/** The places of everything in a TOML text. */
export interface TomlOutline {
  readonly root: OutlineNode;
  readonly sections: readonly OutlineSection[];
}

/** Finds the place of every table, key and element of a text that the parser has accepted. */
export function outlineToml(text: string): TomlOutline {
  return new Outliner(text).run();
}

/** The node of a path; undefined where the document has none. */
export function nodeAt(outline: TomlOutline, path: TomlPath): OutlineNode | undefined {
  let node: OutlineNode | undefined = outline.root;
  for (const step of path) node = node?.children.get(String(step));
  return node;
}

/** The offset of a path, or of the nearest part of it that is there. */
export function offsetOf(outline: TomlOutline, path: TomlPath): number {
  let node = outline.root;
  for (const step of path) {
    const next = node.children.get(String(step));
    if (!next) break;
    node = next;
  }
  return node.at;
}

class Outliner {
  readonly #scan: TomlScanner;
  readonly #root = newNode("table", 0);
  readonly #sections: OutlineSection[] = [];

  constructor(text: string) {
    this.#scan = new TomlScanner(text);
  }

  run(): TomlOutline {
    let section = this.#open(this.#root, 0, 0);
    for (this.#scan.void(); !this.#scan.done; this.#scan.void()) {
      if (this.#scan.peek() === "[") section = this.#header();
      else this.#entry(section.node, section);
    }
    return { root: this.#root, sections: this.#sections };
  }

  #open(node: OutlineNode, start: number, headerEnd: number): OutlineSection {
    const section = { node, start, headerEnd, entries: [] };
    node.section = section;
    this.#sections.push(section);
    return section;
  }

  #header(): OutlineSection {
    const start = this.#scan.at;
    const array = this.#scan.text.startsWith("[[", start);
    this.#scan.at += array ? 2 : 1;
    const parts = this.#scan.key();
    this.#scan.at = this.#scan.lineEnd(this.#scan.at);
    let table = this.#root;
    for (const part of parts.slice(0, -1)) table = lastElement(child(table, part, "table"));
    const last = parts.at(-1) as KeyPart;
    const node = array ? addElement(child(table, last, "tables"), last.start) : child(table, last, "table");
    if (!array) node.at = last.start;
    return this.#open(node, start, this.#scan.at);
  }

  #entry(table: OutlineNode, host: OutlineHost): void {
    const parts = this.#scan.key();
    this.#scan.at++; // the equals sign
    this.#scan.blanks();
    const first = parts[0] as KeyPart;
    const node = this.#value();
    const entry = { start: first.start, ...span(node, this.#scan.at) };
    host.entries.push(entry);
    let under = table;
    for (const part of parts.slice(0, -1)) {
      under = child(under, part, "table");
      under.dotted = { host, prefix: this.#scan.text.slice(first.start, part.end), lastEntry: entry };
    }
    const last = parts.at(-1) as KeyPart;
    node.at = last.start;
    node.entry = entry;
    node.host = host;
    under.children.set(last.name, node);
  }

  #value(): OutlineNode {
    const char = this.#scan.peek();
    if (char === "[") return this.#array();
    if (char === "{") return this.#inline();
    const node = newNode("value", this.#scan.at);
    if (char === '"' || char === "'") this.#scan.string();
    else this.#scan.scalar();
    return node;
  }

  #array(): OutlineNode {
    const node = newNode("array", this.#scan.at);
    this.#members("]", () => {
      const element = this.#value();
      element.entry = { start: element.at, ...span(element, this.#scan.at) };
      element.host = node;
      node.entries.push(element.entry);
      node.children.set(String(node.children.size), element);
    });
    return node;
  }

  #inline(): OutlineNode {
    const node = newNode("inline", this.#scan.at);
    this.#members("}", () => this.#entry(node, node));
    return node;
  }

  #members(close: string, member: () => void): void {
    this.#scan.at++;
    for (this.#scan.void(); !this.#scan.done && this.#scan.peek() !== close; this.#scan.void()) {
      if (this.#scan.peek() === ",") this.#scan.at++;
      else member();
    }
    this.#scan.at++;
  }
}

function newNode(kind: OutlineNode["kind"], at: number): OutlineNode {
  return { kind, at, children: new Map(), entries: [] };
}

function span(node: OutlineNode, end: number): { readonly valueStart: number; readonly valueEnd: number } {
  return { valueStart: node.at, valueEnd: end };
}

function child(table: OutlineNode, part: KeyPart, kind: "table" | "tables"): OutlineNode {
  let node = table.children.get(part.name);
  if (!node) table.children.set(part.name, node = newNode(kind, part.start));
  return node;
}

/** A header's path through an array of tables means its last element. */
function lastElement(node: OutlineNode): OutlineNode {
  return node.kind === "tables" ? node.children.get(String(node.children.size - 1)) ?? node : node;
}

function addElement(tables: OutlineNode, at: number): OutlineNode {
  const element = newNode("table", at);
  tables.children.set(String(tables.children.size), element);
  return element;
}
