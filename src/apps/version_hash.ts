import { sha256Hex, utf8 } from "../base/mod.ts";
import { linkTarget, readBytes, walkFiles } from "../platform/mod.ts";

/**
 * SHA-256 over everything that a version has installed: one line a file or link, sorted by path, with the hash of its
 * bytes or where it leads.
 */
export async function appVersionHash(folder: string): Promise<string> {
  const entries = [...await walkFiles(folder)].sort((a, b) => (a.path < b.path ? -1 : 1));
  const lines = entries.map(async ({ path, kind }) => {
    const what = kind === "link"
      ? `-> ${await linkTarget(`${folder}/${path}`)}`
      : await sha256Hex(await readBytes(`${folder}/${path}`));
    return `${what}  ${path}\n`;
  });
  return await sha256Hex(utf8((await Promise.all(lines)).join("")));
}
