import { isMissing } from "./files.ts";

/** Gives a file a second name; false where the system cannot (another disk, a file of somebody else's). */
export async function hardLink(from: string, to: string): Promise<boolean> {
  return await Deno.link(from, to).then(() => true, () => false);
}

/** Whether a path is the file itself, or a copy of the same size that was made after the file last changed. */
export async function isCopyOf(file: string, path: string): Promise<boolean> {
  try {
    const [one, other] = await Promise.all([Deno.stat(file), Deno.stat(path)]);
    if (one.dev === other.dev && one.ino !== null && one.ino === other.ino) return true;
    return one.size === other.size && (other.mtime?.getTime() ?? 0) > (one.mtime?.getTime() ?? Infinity);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
