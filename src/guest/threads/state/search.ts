import type { FileMatches, FileRecord } from "../../spec/files.ts";
import { fromWireBytes } from "../binary.ts";
import { globPattern } from "../glob.ts";
import { ask, type Place } from "./place.ts";

/** So many bytes are looked at to tell text from other files. */
const LOOK = 8 * 1024;

/** The files whose path fits a glob; folders are none. */
export async function findFiles(at: Place, glob: string): Promise<{ paths: string[] }> {
  const pattern = globPattern(glob);
  return { paths: (await filesOf(at)).map(({ path }) => path).filter((path) => pattern.test(path)) };
}

/** The lines that a regular expression fits, in every file of text. */
export async function grepFiles(at: Place, pattern: string): Promise<FileMatches[]> {
  const expression = new RegExp(pattern);
  const found: FileMatches[] = [];
  for (const { path } of await filesOf(at)) {
    const text = textOf(fromWireBytes(await ask(at, "readFile", path)));
    const matches = text.split("\n").map((content, index) => ({ line: index + 1, content }))
      .filter(({ content }) => expression.test(content));
    if (matches.length > 0) found.push({ path, matches });
  }
  return found;
}

async function filesOf(at: Place): Promise<readonly FileRecord[]> {
  const all = await ask(at, "listFiles") as unknown as readonly FileRecord[];
  return all.filter(({ isDirectory }) => !isDirectory);
}

/** Nothing for a file that is not text. */
function textOf(bytes: Uint8Array | null): string {
  return bytes === null || bytes.subarray(0, LOOK).includes(0) ? "" : new TextDecoder().decode(bytes);
}
