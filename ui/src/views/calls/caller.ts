import { sourceOf } from "$lib/sources.ts";
import { hasText, t } from "$texts";

/** Who called, in words: the agent `clerk` by its name, an app as an app, the page as the person before it. */
export function callerTitle(caller: string): string {
  const { kind, name } = sourceOf(caller);
  const key = `calls.callers.${kind || name}`;
  return hasText(key) ? t(key, { name }) : caller;
}

/** Where the page shows who called; undefined for the daemon's own calls. */
export function callerHref(caller: string): string | undefined {
  const { kind, name } = sourceOf(caller);
  const part = encodeURIComponent(name);
  if (kind === "agent") return `/agents/${part}`;
  if (kind === "app") return `/apps/${part}`;
  return kind === "project" ? `/threads?project=${part}` : undefined;
}
