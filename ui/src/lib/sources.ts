import type { InboxItem } from "$client";
import { hasText, t } from "$texts";

/** Who said something: what it is, and its name in the registry. */
export interface Source {
  readonly kind: string;
  readonly name: string;
}

/** `app:notes` as its two parts. */
export function sourceOf(source: string): Source {
  const at = source.indexOf(":");
  return at === -1 ? { kind: "", name: source } : { kind: source.slice(0, at), name: source.slice(at + 1) };
}

/** As a person reads it: `notes, an app`. */
export function sourceTitle(source: string): string {
  const { kind, name } = sourceOf(source);
  const key = `inbox.kind.${kind}`;
  return hasText(key) ? t(key, { name }) : source;
}

/** Every source of some messages, by name. */
export function sourcesOf(items: readonly InboxItem[]): readonly string[] {
  return [...new Set(items.map(({ source }) => source))].sort();
}
