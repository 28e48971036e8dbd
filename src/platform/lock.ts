import { HandlerError } from "../base/mod.ts";

/** A lock held by this process; it is gone with the process, however that ends. */
export interface Lock extends Disposable {
  readonly path: string;
}

/**
 * Takes the lock file at once or fails with `conflict`, naming the holder's process id where it can be read.
 */
export async function takeLock(path: string): Promise<Lock> {
  const file = await Deno.open(path, { read: true, write: true, create: true, mode: 0o600 });
  try {
    if (!await tryLock(file)) {
      const holder = (await Deno.readTextFile(path)).trim();
      throw new HandlerError(
        "conflict",
        `another handlerd (process ${holder || "unknown"}) already runs here`,
      );
    }
    await file.truncate();
    await file.write(new TextEncoder().encode(`${Deno.pid}\n`));
  } catch (error) {
    file.close();
    throw error;
  }
  return { path, [Symbol.dispose]: () => file.close() };
}

/** Deno's lock waits for its turn, so a wait of more than a moment means that somebody holds it. */
async function tryLock(file: Deno.FsFile): Promise<boolean> {
  const withTry = file as Deno.FsFile & { tryLock?: (exclusive: boolean) => Promise<boolean> };
  if (withTry.tryLock) return await withTry.tryLock(true);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => timer = setTimeout(() => resolve(false), 200));
  const taken = await Promise.race([file.lock(true).then(() => true), late]);
  clearTimeout(timer);
  return taken;
}
