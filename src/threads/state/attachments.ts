import { HandlerError, isObject, type Json } from "../../base/mod.ts";
import type { FileRow, ThreadReads } from "../../store/mod.ts";

/**
 * The files that a message names, as references: paths of the thread, or references as they were given.
 * @throws {HandlerError} `not_found` for a path that is no file of the thread
 */
export function attachmentsOf(
  reads: ThreadReads,
  thread: string,
  given: Json | undefined,
): readonly Json[] | null {
  if (given === undefined || given === null) return null;
  if (!Array.isArray(given)) throw new HandlerError("usage", "a message's attachments are a list");
  return given.map((one: Json) => {
    if (isObject(one) && typeof one["path"] === "string") {
      return reference(reads, thread, one["path"], one as Json);
    }
    if (typeof one === "string") return reference(reads, thread, one, {});
    throw new HandlerError(
      "usage",
      "an attachment is a path of a file of the thread, or a reference with a path",
    );
  });
}

function reference(reads: ThreadReads, thread: string, path: string, more: Json): Json {
  const file = reads.file(thread, path);
  if (!file || file.isDirectory) {
    throw new HandlerError("not_found", `the thread ${thread} has no file ${path} to attach`);
  }
  return { ...more as object, ...fileReference(file) };
}

/** A file as a message names it (threads.md §4.1). */
export function fileReference({ path, mimeType, size }: FileRow): { readonly [key: string]: Json } {
  return { id: path, type: "file", path, name: path.slice(path.lastIndexOf("/") + 1), mimeType, size };
}
