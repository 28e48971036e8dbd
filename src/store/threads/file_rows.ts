import type { Row } from "../../platform/mod.ts";
import { number, text, textOrNull } from "../rows.ts";
import { bit, truth } from "./columns.ts";
import type { ThreadReads, ThreadWrites } from "./ports.ts";
import type { FileRow } from "./records.ts";
import type { Statements } from "./statements.ts";
import type { ThreadCache } from "./thread_cache.ts";

const PUT =
  `INSERT OR REPLACE INTO files (t, path, mime_type, size, is_directory, created_at, updated_at, metadata)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** Reads of what is known of a thread's files, by path. */
export function fileReads(db: Statements, threads: ThreadCache): Pick<ThreadReads, "file" | "files"> {
  return {
    file(thread, path) {
      const t = threads.key(thread);
      if (t === undefined) return undefined;
      const row = db.get("SELECT * FROM files WHERE t = ? AND path = ?", t, path);
      return row && toFile(thread, row);
    },
    files(thread) {
      const t = threads.key(thread);
      if (t === undefined) return [];
      return db.all("SELECT * FROM files WHERE t = ? ORDER BY path", t).map((row) => toFile(thread, row));
    },
  };
}

/** Writes of what is known of a thread's files. */
export function fileWrites(
  db: Statements,
  threads: ThreadCache,
): Pick<ThreadWrites, "putFile" | "removeFile"> {
  return {
    putFile({ thread, path, mimeType, size, isDirectory, createdAt, updatedAt, metadata }) {
      const t = threads.mustHave(thread);
      db.run(PUT, t, path, mimeType, size, bit(isDirectory), createdAt, updatedAt, metadata);
    },
    removeFile(thread, path) {
      db.run("DELETE FROM files WHERE t = ? AND path = ?", threads.mustHave(thread), path);
    },
  };
}

function toFile(thread: string, row: Row): FileRow {
  return {
    thread,
    path: text(row, "path"),
    mimeType: text(row, "mime_type"),
    size: number(row, "size"),
    isDirectory: truth(row, "is_directory"),
    metadata: textOrNull(row, "metadata"),
    createdAt: number(row, "created_at"),
    updatedAt: number(row, "updated_at"),
  };
}
