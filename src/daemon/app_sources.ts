import type { App } from "../apps/mod.ts";
import type { Clock } from "../base/mod.ts";
import { statIfThere } from "../platform/mod.ts";
import type { Changes } from "./changes.ts";

/** What {@linkcode watchSources} needs. */
export interface SourcesParts {
  readonly clock: Clock;
  readonly changes: Changes;
  apps(): readonly App[];
}

const PAUSE_MS = 3000;

/**
 * Tells who watches that the manifest in an app's source folder is another: there may be a version to deploy. Looked for
 * only while somebody watches. @returns what ends it
 */
export function watchSources({ clock, changes, apps }: SourcesParts): () => void {
  const seen = new Map<string, number>();
  let forget = () => {};
  const look = async () => {
    for (const { name, source } of changes.watched ? apps() : []) {
      const info = await statIfThere(`${source}/app.toml`).catch(() => undefined);
      const mark = info?.mtime?.getTime() ?? 0;
      const before = seen.get(name);
      seen.set(name, mark);
      if (before !== undefined && before !== mark) changes.tell("apps", name);
    }
    if (!ended) forget = clock.after(PAUSE_MS, () => void look());
  };
  let ended = false;
  forget = clock.after(PAUSE_MS, () => void look());
  return () => {
    ended = true;
    forget();
  };
}
