import type { Trial, TrialFile } from "../api/mod.ts";
import { type Clock, HandlerError, newId } from "../base/mod.ts";
import {
  ensureFolder,
  listFolder,
  openInside,
  readFrom,
  removeAll,
  removeQuietly,
  rename,
  stageFile,
  statIfThere,
} from "../platform/mod.ts";
import { mediaTypeOf } from "../services/mod.ts";

/** What {@linkcode Trials} are made of. */
export interface TrialsParts {
  readonly clock: Clock;
  /** The folder that has a folder for each. */
  readonly folder: string;
}

/** How long a trial that nobody uses is kept, in milliseconds. */
const IDLE_MS = 3_600_000;

/** The most trials at once; the one that was unused for the longest time gives way. */
const MOST = 50;

/** The most files of one trial, and the most bytes of a file. */
const FILES = 100;
const FILE_LIMIT = 1024 ** 3;

/** How much of a file shows what it is. */
const HEAD = 4096;

/** Folders for calls that a person tries. They end with the daemon, an hour after their last use, or when told. */
export class Trials {
  readonly #parts: TrialsParts;
  readonly #kept = new Map<string, { usedAt: number; users: number; forget: () => void }>();

  constructor(parts: TrialsParts) {
    this.#parts = parts;
  }

  /** Removes what an earlier daemon left. */
  reap(): Promise<void> {
    return removeAll(this.#parts.folder);
  }

  async make(): Promise<Trial> {
    const id = newId();
    await ensureFolder(this.#folderOf(id));
    this.#kept.set(id, { usedAt: 0, users: 0, forget: () => {} });
    this.#touch(id);
    await this.#makeRoom();
    return { id, files: [] };
  }

  /** @throws {HandlerError} `not_found` */
  show(id: string): Promise<Trial> {
    return this.use(id, async (folder) => {
      const files: TrialFile[] = [];
      for (const { name, kind } of await listFolder(folder)) {
        if (kind === "file" && isName(name)) files.push(await fileView(folder, name));
      }
      return { id, files };
    });
  }

  /** Puts a file in, whole or not at all. @throws {HandlerError} `usage` for its name or its size */
  put(id: string, name: string, chunks: AsyncIterable<Uint8Array>): Promise<TrialFile> {
    return this.use(id, async (folder) => {
      checkTrialName(name);
      await this.#refuseMany(folder, name);
      const coming = `${this.#parts.folder}/.coming-${newId()}`;
      try {
        await stageFile(chunks, coming, FILE_LIMIT).catch((error) => {
          throw error instanceof HandlerError && error.kind === "conflict"
            ? new HandlerError("usage", `a file has at most ${FILE_LIMIT} bytes`)
            : error;
        });
        await rename(coming, `${folder}/${name}`);
      } finally {
        await removeQuietly(coming);
      }
      return await fileView(folder, name);
    });
  }

  /** The bytes of a file. */
  async *read(id: string, name: string): AsyncGenerator<Uint8Array> {
    const { folder, leave } = this.#enter(id);
    try {
      checkTrialName(name);
      await using file = await openInside(folder, name);
      yield* file.chunks();
    } finally {
      leave();
    }
  }

  /** A file as it is now; undefined where there is none. */
  async file(id: string, name: string): Promise<TrialFile | undefined> {
    const folder = this.#folderOf(id);
    return isName(name) && (await statIfThere(`${folder}/${name}`))?.isFile
      ? await fileView(folder, name)
      : undefined;
  }

  /** Does work in a trial's folder, which stays meanwhile. */
  async use<T>(id: string, work: (folder: string) => Promise<T>): Promise<T> {
    const { folder, leave } = this.#enter(id);
    try {
      return await work(folder);
    } finally {
      leave();
    }
  }

  async remove(id: string): Promise<void> {
    this.#get(id).forget();
    this.#kept.delete(id);
    await removeAll(this.#folderOf(id));
  }

  /** Removes all. */
  async close(): Promise<void> {
    for (const { forget } of this.#kept.values()) forget();
    this.#kept.clear();
    await this.reap();
  }

  #enter(id: string): { readonly folder: string; leave(): void } {
    const trial = this.#get(id);
    trial.users++;
    this.#touch(id);
    const leave = () => {
      trial.users--;
      if (this.#kept.get(id) === trial) this.#touch(id);
    };
    return { folder: this.#folderOf(id), leave };
  }

  #get(id: string) {
    const trial = this.#kept.get(id);
    if (trial) return trial;
    throw new HandlerError("not_found", `there is no trial ${JSON.stringify(id)}`, {
      hint: "one that nobody used for an hour is removed; begin a new one",
    });
  }

  #touch(id: string): void {
    const trial = this.#get(id);
    trial.forget();
    trial.usedAt = this.#parts.clock.monotonic();
    trial.forget = this.#parts.clock.after(IDLE_MS, () => {
      if (trial.users > 0) this.#touch(id);
      else void this.remove(id).catch(() => {});
    });
  }

  async #makeRoom(): Promise<void> {
    const unused = [...this.#kept].filter(([, { users }]) => users === 0)
      .sort(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [id] of unused.slice(0, Math.max(0, this.#kept.size - MOST))) await this.remove(id);
  }

  async #refuseMany(folder: string, name: string): Promise<void> {
    const names = (await listFolder(folder)).map((one) => one.name);
    if (names.length < FILES || names.includes(name)) return;
    throw new HandlerError("conflict", `a trial has at most ${FILES} files`, { hint: "begin a new one" });
  }

  #folderOf(id: string): string {
    return `${this.#parts.folder}/${id}`;
  }
}

/** @throws {HandlerError} `usage` for a name that could lead anywhere else, or would not be seen */
export function checkTrialName(name: string): void {
  if (isName(name)) return;
  throw new HandlerError(
    "usage",
    `a file of a trial has a plain name of at most 200 letters, without / and no dot first, found ${
      JSON.stringify(name)
    }`,
  );
}

function isName(name: string): boolean {
  return /^(?!\.)[^/\\\p{Cc}\p{Cf}\p{Cs}]{1,200}$/u.test(name) &&
    new TextEncoder().encode(name).length <= 255;
}

async function fileView(folder: string, name: string): Promise<TrialFile> {
  const path = `${folder}/${name}`;
  const size = (await statIfThere(path))?.size ?? 0;
  return { name, size, mediaType: mediaTypeOf(await readFrom(path, 0, HEAD)) };
}
