import {
  appendBytes,
  ensureFolder,
  fileSize,
  listFolder,
  readFrom,
  removeAll,
  truncateFile,
} from "../platform/mod.ts";

/** How much of a session's log is kept: so many files of about so many bytes, the oldest go first. */
export const LOG_LIMITS = { segmentBytes: 1024 * 1024, segments: 16 } as const;

/** A piece of a log and where it stands in it, in bytes since the session began. */
export interface LogPiece {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

const NAME = /^log\.(\d{15})$/;

/** A session's log on disk, in files that are named by where they begin, so that an offset stays good for ever. */
export class SessionLog {
  readonly #folder: string;
  #starts: number[];
  #end: number;

  private constructor(folder: string, starts: number[], end: number) {
    this.#folder = folder;
    this.#starts = starts;
    this.#end = end;
  }

  /** Opens the log in a folder, which is made where it is not there. */
  static async open(folder: string): Promise<SessionLog> {
    await ensureFolder(folder);
    const starts = (await listFolder(folder)).flatMap(({ name }) => NAME.exec(name)?.[1] ?? []).map(Number);
    const last = starts.at(-1);
    const end = last === undefined ? 0 : last + await fileSize(`${folder}/${fileName(last)}`);
    return new SessionLog(folder, starts, end);
  }

  /** The offset of the first byte that is still there. */
  get start(): number {
    return this.#starts[0] ?? 0;
  }

  /** The offset behind the last byte. */
  get end(): number {
    return this.#end;
  }

  /** Adds bytes; begins a new file and drops the oldest where it is time. */
  async append(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    const last = this.#starts.at(-1);
    if (last === undefined || this.#end - last >= LOG_LIMITS.segmentBytes) this.#starts.push(this.#end);
    await appendBytes(this.#path(this.#starts.at(-1)!), bytes);
    this.#end += bytes.length;
    while (this.#starts.length > LOG_LIMITS.segments) await removeAll(this.#path(this.#starts.shift()!));
  }

  /** At most `limit` bytes from an offset on, or from the first that is still there. */
  async read(offset: number, limit: number): Promise<LogPiece> {
    const at = Math.max(offset, this.start);
    const index = this.#starts.findLastIndex((start) => start <= at);
    const start = this.#starts[index];
    if (start === undefined || at >= this.#end) return { offset: at, bytes: new Uint8Array() };
    const next = this.#starts[index + 1] ?? this.#end;
    return { offset: at, bytes: await readFrom(this.#path(start), at - start, Math.min(limit, next - at)) };
  }

  /** Takes back what was added after an offset, where it is still in the last file. */
  async cutTo(end: number): Promise<void> {
    while (this.#starts.length > 1 && this.#starts.at(-1)! >= end) {
      await removeAll(this.#path(this.#starts.pop()!));
    }
    const last = this.#starts.at(-1);
    if (last === undefined || end < last || end >= this.#end) return;
    await truncateFile(this.#path(last), end - last);
    this.#end = end;
  }

  #path(start: number): string {
    return `${this.#folder}/${fileName(start)}`;
  }
}

function fileName(start: number): string {
  return `log.${String(start).padStart(15, "0")}`;
}
