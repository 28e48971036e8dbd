import { bytes, number } from "$lib/format.ts";
import { wordsOf } from "$lib/schema.ts";
import { hasText, t } from "$texts";

/** A limit of an interface, as a sentence; 0 is none. */
export function limitWords(name: string, value: number): string {
  const key = `services.limit.${name}`;
  if (!hasText(key)) return `${wordsOf(name)}: ${number(value)}`;
  return name.endsWith("Bytes") ? t(key, { size: bytes(value) }) : t(key, { n: value });
}

/** A skill's text without its head, and what the head says of when to use it. */
export function skillOf(text: string): { readonly description: string; readonly body: string } {
  const head = /^---\n([\s\S]*?)\n---\n/.exec(text);
  if (!head) return { description: "", body: text };
  const description = /^description:\s*(.*)$/m.exec(head[1]!)?.[1]?.trim() ?? "";
  return { description: description.replace(/^"(.*)"$/, "$1"), body: text.slice(head[0].length).trim() };
}
