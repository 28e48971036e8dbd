import { newId } from "../../base/mod.ts";
import { listFolder, removeQuietly, statIfThere, writeAtomic } from "../../platform/mod.ts";

/** Longer than a one-time link is good for. */
const OLD_MS = 5 * 60_000;
const NAME = /^open-[a-z0-9]+\.html$/;

/**
 * Writes a page that leads on to a one-time link, and gives its address: a command line can be read by every user of the
 * machine, a file of mode 0600 cannot. Pages of earlier windows are removed.
 */
export async function writeOpener(folder: string, link: string, now: number): Promise<string> {
  for (const { name } of await listFolder(folder)) {
    const path = `${folder}/${name}`;
    if (!NAME.test(name)) continue;
    const written = (await statIfThere(path))?.mtime?.getTime() ?? 0;
    if (Math.abs(now - written) > OLD_MS) await removeQuietly(path);
  }
  const path = `${folder}/open-${newId(now)}.html`;
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">` +
    `<meta http-equiv="refresh" content="0;url=${
      link.replaceAll("&", "&amp;").replaceAll('"', "&quot;")
    }"><title>…</title>\n`;
  await writeAtomic(path, page);
  return `file://${path.split("/").map(encodeURIComponent).join("/")}`;
}
