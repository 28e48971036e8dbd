import { isMissing, tailOfFile } from "./files.ts";

/**
 * Cuts a file that another program appends to down to its last bytes, where it has become too large. What is appended in
 * that moment is lost.
 */
export async function trimFile(path: string, most: number, keep: number): Promise<void> {
  try {
    if ((await Deno.lstat(path)).size <= most) return;
    const tail = tailOfFile(path, keep);
    await Deno.truncate(path);
    await Deno.writeFile(path, tail, { append: true });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
