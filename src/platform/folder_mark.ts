import { isMissing } from "./files.ts";

/** More entries than this are not looked at: a folder of definitions has dozens. */
const MOST_ENTRIES = 20_000;

/**
 * What tells a folder's state from a later one: names, sizes and times of change of all that lies in it, without reading
 * it and without waiting. Undefined where there is no folder, or a link in its place.
 */
export function folderMark(path: string, leaveOut: readonly string[]): string | undefined {
  const lines: string[] = [];
  return mark(path, "", leaveOut, lines) ? lines.join("\n") : undefined;
}

function mark(root: string, below: string, leaveOut: readonly string[], lines: string[]): boolean {
  try {
    const info = Deno.lstatSync(root + below);
    lines.push(`${below} ${info.size} ${info.mtime?.getTime()} ${info.ctime?.getTime()} ${info.ino}`);
    if (!info.isDirectory) return below !== "";
    for (const { name } of Deno.readDirSync(root + below)) {
      if (leaveOut.includes(name)) continue;
      if (lines.length > MOST_ENTRIES) break;
      mark(root, `${below}/${name}`, leaveOut, lines);
    }
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
