/** What a program that is killed can no longer do: everything that changes a file system. */
const CHANGING = ["rename", "remove", "mkdir", "symlink", "chmod", "truncate", "copyFile", "link"] as const;

/**
 * Runs `work` as if the program were killed before its change number `at` of the file system: that one and all later
 * ones do not happen. Writes into open files count as changes too.
 *
 * @returns whether it came that far
 */
export async function killedBefore(at: number, work: () => Promise<unknown>): Promise<boolean> {
  let changes = 0;
  const change = () => {
    if (++changes >= at) throw new Error("the program was killed");
  };
  const undo = [...CHANGING.map((name) => wrap(Deno, name, change)), wrapOpen(change)];
  try {
    await work();
  } catch (error) {
    if (changes < at) throw error;
  } finally {
    undo.forEach((put) => put());
  }
  return changes >= at;
}

type Wrapped = typeof Deno | Deno.FsFile;

function wrap<T extends Wrapped>(object: T, name: keyof T, before: () => void): () => void {
  const own = object[name] as (...args: unknown[]) => unknown;
  const wrapped = (...args: unknown[]) => {
    try {
      before();
    } catch (error) {
      return Promise.reject(error);
    }
    return own.apply(object, args);
  };
  Object.assign(object, { [name]: wrapped });
  return () => void Object.assign(object, { [name]: own });
}

function wrapOpen(change: () => void): () => void {
  const own = Deno.open;
  Object.assign(Deno, {
    async open(path: string, options?: Deno.OpenOptions) {
      if (options?.write) change();
      const file = await own.call(Deno, path, options);
      if (options?.write) { for (const name of ["write", "truncate"] as const) wrap(file, name, change); }
      return file;
    },
  });
  return () => void Object.assign(Deno, { open: own });
}
