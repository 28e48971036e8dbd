import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { HandlerError } from "../../base/mod.ts";

/** Where a person's own settings stand in a text. */
export type JsonNode = Node;

/**
 * The tree of a text of JSON with comments and trailing commas; undefined where it holds nothing but space.
 * @throws {HandlerError} `invalid` with file, line and column
 */
export function jsonTree(text: string, file: string): JsonNode | undefined {
  if (text.trim() === "") return undefined;
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    throw problem(text, file, first.offset, `must be JSON: ${words(printParseErrorCode(first.error))}`);
  }
  if (tree?.type !== "object") throw problem(text, file, tree?.offset ?? 0, "must hold an object of JSON");
  return tree;
}

/**
 * The value of a key; undefined where there is none.
 * @throws {HandlerError} `invalid` where the key stands twice, for nobody can say which one counts
 */
export function member(object: JsonNode, key: string, text: string, file: string): JsonNode | undefined {
  const found = (object.children ?? []).filter((property) => property.children?.[0]?.value === key);
  const second = found[1];
  if (second) throw problem(text, file, second.offset, `the key ${JSON.stringify(key)} must stand once`, key);
  return found[0];
}

/** An error at a place in a text. */
export function problem(
  text: string,
  file: string,
  offset: number,
  message: string,
  key?: string,
): HandlerError {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  const column = offset - before.lastIndexOf("\n");
  return new HandlerError("invalid", message, {
    where: { file, line, column, ...(key !== undefined && { key }) },
    hint: "nothing was changed; mend it first",
  });
}

/** `CommaExpected` as `comma expected`. */
function words(code: string): string {
  return code.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}
