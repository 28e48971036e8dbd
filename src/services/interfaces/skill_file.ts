import { HandlerError } from "../../base/mod.ts";
import { PLATFORM_ERRORS } from "../interface.ts";
import { placeAt } from "./json_places.ts";
import { hiddenCharacters } from "./lint_text.ts";

const LARGEST_FILE = 64 * 1024;

/** What a skill must speak of. */
export interface SkillSubject {
  readonly interfaceName: string;
  readonly tools: readonly string[];
  readonly errors: readonly string[];
}

/**
 * Checks a SKILL.md: front matter with the interface's `name` and a `description`, every tool and every declared error
 * named in backticks, and no error explained that does not exist. An explained error is a code in backticks that begins
 * a list item below a heading with the word "error", "fail", "fails" or "failure".
 */
export function checkSkill(text: string, file: string, subject: SkillSubject): readonly HandlerError[] {
  const problems: HandlerError[] = [];
  const say = (message: string, offset: number, hint?: string) => {
    const where = { file, ...placeAt(text, offset) };
    problems.push(new HandlerError("invalid", message, { where, ...(hint === undefined ? {} : { hint }) }));
  };
  if (text.length > LARGEST_FILE) {
    say(`must have at most ${LARGEST_FILE} characters, found ${text.length}`, 0);
  }
  for (const { name, offset } of hiddenCharacters(text).slice(0, 20)) {
    say(`must hold no character that is not seen, found ${name}`, offset);
  }
  checkFrontMatter(text, subject.interfaceName, say);
  for (const tool of subject.tools) {
    if (!text.includes(`\`${tool}\``)) say(`must name the tool \`${tool}\` in backticks`, 0);
  }
  for (const code of subject.errors) {
    if (!text.includes(`\`${code}\``)) say(`must say what to do on the error \`${code}\`, in backticks`, 0);
  }
  const known = [...subject.errors, ...PLATFORM_ERRORS];
  for (const { code, offset } of explainedErrors(text)) {
    if (known.includes(code)) continue;
    say(
      `explains the error \`${code}\`, which the interface does not declare`,
      offset,
      `declared: ${known.join(", ")}`,
    );
  }
  return problems;
}

function checkFrontMatter(text: string, owner: string, say: (message: string, offset: number) => void): void {
  const front = /^---\n([\s\S]*?)\n---\n/.exec(text);
  if (!front) return say('must begin with front matter between two lines "---"', 0);
  const fields = new Map<string, string>();
  let offset = "---\n".length;
  for (const line of front[1]!.split("\n")) {
    const field = /^(name|description): (\S.*)$/.exec(line);
    if (!field) say('the front matter has lines "name: …" and "description: …" alone', offset);
    else if (fields.has(field[1]!)) say(`${field[1]} must stand once`, offset);
    else fields.set(field[1]!, field[2]!);
    // a reader of YAML would take these for something else than plain text
    if (field && (/: | #/.test(field[2]!) || /^[-?:,[\]{}#&*!|>'"%@`]/.test(field[2]!))) {
      say(`${field[1]} must be a plain text without ": " and " #", beginning with a letter`, offset);
    }
    offset += line.length + 1;
  }
  if (fields.get("name") !== owner) say(`the front matter's name must be ${owner}`, 0);
  if (!fields.has("description")) say("the front matter must have a description", 0);
}

function explainedErrors(text: string): readonly { readonly code: string; readonly offset: number }[] {
  const found: { code: string; offset: number }[] = [];
  let inside = false;
  let offset = 0;
  for (const line of text.split("\n")) {
    if (/^#+ /.test(line)) inside = /\b(?:errors?|fail(?:s|ures?)?)\b/i.test(line);
    const code = /^[-*] `([a-z0-9_]+)`/.exec(line)?.[1];
    if (inside && code !== undefined) found.push({ code, offset });
    offset += line.length + 1;
  }
  return found;
}
