import { asHandlerError, HandlerError, ProblemList } from "../base/mod.ts";
import { type Decoded, decodeTomlFile, type Kind } from "../schema/mod.ts";
import type { SourceFile } from "./folder.ts";

/** A file after decoding: its record, where there is one, and what is wrong. */
export interface LoadedFile<T> {
  readonly name: string;
  readonly path: string;
  readonly decoded: Decoded<T> | undefined;
  readonly problems: readonly HandlerError[];
}

/** The files of one kind by name, the broken ones among them. */
export type LoadedFiles<T> = ReadonlyMap<string, LoadedFile<T>>;

/** How many files are read at once. */
const READERS = 32;

/** Reads and decodes files of one kind. */
export async function readFiles<T>(
  kind: string,
  sources: readonly SourceFile[],
  shape: Kind<T>,
): Promise<LoadedFiles<T>> {
  const files: LoadedFile<T>[] = [];
  for (let at = 0; at < sources.length; at += READERS) {
    const some = sources.slice(at, at + READERS);
    files.push(...await Promise.all(some.map((source) => readFile(kind, source, shape))));
  }
  return new Map(files.map((file) => [file.name, file]));
}

/** Reads and decodes one file; what is wrong with it is part of the result. */
export async function readFile<T>(kind: string, source: SourceFile, shape: Kind<T>): Promise<LoadedFile<T>> {
  const { name, path } = source;
  try {
    const decoded = decodeTomlFile(await source.read(), { file: path, kind, shape });
    return { name, path, decoded, problems: decoded.problems };
  } catch (error) {
    const problems = error instanceof ProblemList ? error.problems : [unreadable(path, error)];
    return { name, path, decoded: undefined, problems };
  }
}

function unreadable(file: string, error: unknown): HandlerError {
  const why = asHandlerError(error).message;
  return new HandlerError("invalid", `cannot be read: ${why}`, { where: { file }, cause: error });
}
