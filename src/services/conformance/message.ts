import type { JsonObject } from "../../base/mod.ts";
import { textValues } from "../interfaces/lint_text.ts";
import type { Finding } from "./expectation.ts";

/** The longest message of an error, in UTF-16 units; more is a dump, not a message. */
const LONGEST = 500;

/** A text of the input shorter than this, or a plain word, may stand in a message by chance. */
const SHORTEST_QUOTE = 6;

const PATHS = [
  /(?:^|[\s"'`(=:,[])\/(?:[\w.@+-]+\/)+[\w.@+-]*/, // /run/handler/files/in/x
  /\bfile:\/\//,
  /\b[A-Za-z]:\\/,
];
const STACK = /\n\s*at \S+|Traceback \(most recent call last\)/;

/**
 * Whether an error's message is fit for an agent (seed S3): it is there, it is short, and it holds no path of the
 * connector's machine, no stack trace and no text of the input (file names, and anything else but single words).
 */
export function messageFindings(message: string, input: JsonObject): readonly Finding[] {
  const wrong: string[] = [];
  if (message.trim() === "") wrong.push("is empty");
  if (message.length > LONGEST) {
    wrong.push(`has ${message.length} characters, at most ${LONGEST} are allowed`);
  }
  if (PATHS.some((pattern) => pattern.test(message))) wrong.push("holds a path of the connector's machine");
  if (STACK.test(message)) wrong.push("holds a stack trace");
  if (quotesInput(message, input)) wrong.push("repeats a text of the input");
  return wrong.map((what) => ({ at: "error.message", message: `the error's message ${what}` }));
}

function quotesInput(message: string, input: JsonObject): boolean {
  return textValues(input).some((text) =>
    text.length >= SHORTEST_QUOTE && !/^\p{L}+$/u.test(text) && message.includes(text)
  );
}
