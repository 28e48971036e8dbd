/** Files beside a database that mean nothing without it. */
const SIDE_FILES = ["-wal", "-shm", "-journal"] as const;

const MAGIC = "SQLite format 3\0";

/** The databases below a folder, as sorted paths below it: regular files that begin as a database does. */
export async function databasesIn(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const path of filesIn(folder, "")) {
    if (SIDE_FILES.some((ending) => path.endsWith(ending))) continue;
    if (await beginsAsDatabase(`${folder}/${path}`)) found.push(path);
  }
  return found.sort();
}

async function* filesIn(root: string, below: string): AsyncIterable<string> {
  for await (const { name, isDirectory, isFile } of Deno.readDir(`${root}/${below}`)) {
    if (isDirectory) yield* filesIn(root, `${below}${name}/`);
    else if (isFile) yield `${below}${name}`;
  }
}

async function beginsAsDatabase(path: string): Promise<boolean> {
  using file = await Deno.open(path);
  const head = new Uint8Array(MAGIC.length);
  return await file.read(head) === MAGIC.length && new TextDecoder().decode(head) === MAGIC;
}
