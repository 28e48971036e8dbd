import type { Metadata } from "./messages.ts";

/** A file or folder of a thread. */
export interface FileRecord {
  path: string;
  name: string;
  mimeType: string;
  storage: string;
  /** Bytes. */
  size: number;
  isDirectory: boolean;
  metadata?: Metadata;
  width?: number;
  height?: number;
  /** Microseconds since 1970. */
  createdAt: number;
  updatedAt?: number;
}

/** A piece of a file that is read as a stream. */
export interface FileChunk {
  data: Uint8Array;
  index: number;
  totalChunks: number;
  isLast: boolean;
}

/** What may be said of a file that is written. */
export interface WriteFileOptions {
  metadata?: Metadata;
  width?: number;
  height?: number;
}

/** The lines of a file that a pattern fits. */
export interface FileMatches {
  path: string;
  matches: { line: number; content: string }[];
}

/** A thread's own files; what goes with messages lies under `/attachments/`. */
export interface ThreadFiles {
  writeFile(
    path: string,
    data: ArrayBuffer | Uint8Array | string,
    mimeType: string,
    options?: WriteFileOptions,
  ): Promise<FileRecord>;
  readFile(path: string): Promise<ArrayBuffer | null>;
  readFileStream(path: string, options?: { signal?: AbortSignal }): Promise<AsyncIterable<FileChunk> | null>;
  statFile(path: string): Promise<FileRecord | null>;
  readdirFile(path: string): Promise<{ entries: FileRecord[] }>;
  unlinkFile(path: string): Promise<void>;
  mkdirFile(path: string): Promise<FileRecord>;
  rmdirFile(path: string): Promise<void>;
  moveFile(from: string, to: string): Promise<FileRecord>;
  renameFile(path: string, name: string): Promise<FileRecord>;
  getFileStats(): Promise<{ fileCount: number; directoryCount: number; totalSize: number }>;
  grepFiles(pattern: string): Promise<FileMatches[]>;
  findFiles(glob: string): Promise<{ paths: string[] }>;
  getFileThumbnail(path: string): Promise<ArrayBuffer | null>;
}
