import { listFolder, removeQuietly } from "../platform/mod.ts";
import { placesOf } from "./places.ts";
import type { AppsPorts } from "./ports.ts";

/** How many backups of what roll-backs and restores replaced are kept. */
export const KEPT_ASIDE = 5;

const ASIDE = /^kept-(\d+)$/;

/**
 * The name for the backup of data that is about to be replaced: by the time, and later than every earlier one even where
 * the clock went back.
 */
export async function nextAside(backups: string, now: number): Promise<string> {
  const [newest] = await asideIn(backups);
  return `kept-${newest === undefined ? now : Math.max(now, newest + 1)}`;
}

/**
 * Removes versions and backups that the registry does not name any more, and of what roll-backs and restores replaced all
 * but the newest {@linkcode KEPT_ASIDE}.
 */
export async function removeOld(
  { folders, registry }: Pick<AppsPorts, "folders" | "registry">,
  name: string,
): Promise<void> {
  const places = placesOf(folders, name);
  const { versions } = registry.get(name);
  const aside = (await asideIn(places.backups)).slice(0, KEPT_ASIDE);
  const keep = new Set([
    ...versions.flatMap(({ folder, backup }) => backup ? [folder, backup] : [folder]),
    ...aside.map((time) => places.backup(`kept-${time}`)),
  ]);
  for (const root of [places.versions, places.backups]) {
    for (const entry of await listFolder(root)) {
      const path = `${root}/${entry.name}`;
      if (!keep.has(path)) await removeQuietly(path);
    }
  }
}

/** The times in the names of what was set aside, newest first. */
async function asideIn(backups: string): Promise<readonly number[]> {
  const times = (await listFolder(backups)).map(({ name }) => ASIDE.exec(name)?.[1]);
  return times.filter((time) => time !== undefined).map(Number).sort((a, b) => b - a);
}
