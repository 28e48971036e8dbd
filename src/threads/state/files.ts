import { HandlerError, isObject, type Json, utf8 } from "../../base/mod.ts";
import { ensureFolder, openInside, removeAll, rename, writeAtomic } from "../../platform/mod.ts";
import type { FileRow } from "../../store/mod.ts";
import { MAX_THREAD_FILE_BYTES } from "../../wire/mod.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import { countArgument, objectArgument, type RunContext, type StateMethod, textArgument } from "./context.ts";
import { threadOf } from "./messages.ts";

/** The largest file, the most files and the most bytes of a thread. */
export const FILE_LIMITS = { file: MAX_THREAD_FILE_BYTES, files: 10_000, all: 512 * 1024 * 1024 } as const;
const CHUNK = 256 * 1024;
const PATH_LIMIT = 512;

/**
 * A path of a thread's files in its one spelling: `/attachments/scan.pdf`.
 * @throws {HandlerError} `usage` for one that leads out, or that a file system would not take
 */
export function threadPath(method: string, value: Json | undefined): string {
  const text = textArgument(method, "the path", value);
  const parts = text.split("/").filter((part) => part !== "" && part !== ".");
  const bad = parts.find((part) => part === ".." || part.includes("\0") || utf8(part).length > 255);
  if (bad !== undefined || utf8(text).length > PATH_LIMIT) {
    throw new HandlerError(
      "usage",
      `state.${method}: ${JSON.stringify(text.slice(0, 80))} is no path of a thread's files`,
      {
        hint: `a path has no "..", names of at most 255 bytes, ${PATH_LIMIT} in all`,
      },
    );
  }
  return `/${parts.join("/")}`;
}

/** Files of a thread: bytes in its folder on disk, what is known of them in the store. */
export const FILE_METHODS: Readonly<Record<string, StateMethod>> = {
  async writeFile(context, id, [given, content, mime, options]) {
    const path = threadPath("writeFile", given);
    const bytes = bytesOf(content);
    const metadata = objectArgument("writeFile", "the options", options)["metadata"];
    const row = await writeThreadFile(context, id, {
      path,
      bytes,
      mimeType: typeof mime === "string" ? mime : "application/octet-stream",
      metadata: isObject(metadata) ? JSON.stringify(metadata) : null,
    });
    return record(row);
  },

  async readFile(context, id, [given]) {
    const row = fileRow(context, id, threadPath("readFile", given));
    return row && !row.isDirectory ? { $base64: toBase64(await readWhole(context, row)) } : null;
  },

  async readFileChunk(context, id, [given, at]) {
    const row = fileRow(context, id, threadPath("readFileStream", given));
    if (!row || row.isDirectory) return null;
    const index = countArgument("readFileStream", "the chunk", at, 0);
    const totalChunks = Math.max(1, Math.ceil(row.size / CHUNK));
    const bytes = (await readWhole(context, row)).subarray(index * CHUNK, (index + 1) * CHUNK);
    return { data: { $base64: toBase64(bytes) }, index, totalChunks, isLast: index >= totalChunks - 1 };
  },

  statFile(context, id, [given]) {
    const row = fileRow(context, id, threadPath("statFile", given));
    return row ? record(row) : null;
  },

  readdirFile(context, id, [given]) {
    const folder = threadPath("readdirFile", given);
    const under = folder === "/" ? "/" : `${folder}/`;
    const entries = context.engine.ports.store.files(id)
      .filter(({ path }) => path.startsWith(under) && !path.slice(under.length).includes("/"));
    return { entries: entries.map(record) };
  },

  listFiles: (context, id) => context.engine.ports.store.files(id).map(record),

  async unlinkFile(context, id, [given]) {
    const row = needed(context, id, threadPath("unlinkFile", given));
    if (row.isDirectory) throw new HandlerError("usage", `state.unlinkFile: ${row.path} is a folder`);
    await context.engine.write("process", (tx) => tx.removeFile(id, row.path));
    await removeAll(onDisk(context, id, row.path));
    return undefined;
  },

  async mkdirFile(context, id, [given]) {
    const path = threadPath("mkdirFile", given);
    await context.engine.write("process", (tx, acts) => {
      acts.thread(tx, id);
      for (const folder of [...foldersOf(path), path]) {
        const known = tx.file(id, folder);
        if (known && !known.isDirectory) {
          throw new HandlerError("conflict", `${folder} is a file of the thread`);
        }
        if (!known && folder !== "/") tx.putFile(folderRow(context, id, folder));
      }
    });
    return undefined;
  },

  async rmdirFile(context, id, [given]) {
    const row = needed(context, id, threadPath("rmdirFile", given));
    if (!row.isDirectory) throw new HandlerError("usage", `state.rmdirFile: ${row.path} is a file`);
    await context.engine.write("process", (tx) => {
      if (tx.files(id).some(({ path }) => path.startsWith(`${row.path}/`))) {
        throw new HandlerError("conflict", `the folder ${row.path} is not empty`);
      }
      tx.removeFile(id, row.path);
    });
    await removeAll(onDisk(context, id, row.path));
    return undefined;
  },

  moveFile: (context, id, [from, to]) =>
    moved(context, id, threadPath("moveFile", from), threadPath("moveFile", to)),

  renameFile(context, id, [given, name]) {
    const from = threadPath("renameFile", given);
    const to = textArgument("renameFile", "the name", name);
    const target = to.includes("/") ? to : `${from.slice(0, from.lastIndexOf("/"))}/${to}`;
    return moved(context, id, from, threadPath("renameFile", target));
  },

  getFileStats(context, id) {
    const rows = context.engine.ports.store.files(id);
    const files = rows.filter(({ isDirectory }) => !isDirectory);
    return {
      fileCount: files.length,
      directoryCount: rows.length - files.length,
      totalSize: files.reduce((sum, { size }) => sum + size, 0),
    };
  },

  /** No thumbnails are made. */
  getFileThumbnail: () => null,
};

/** What a file is written from. */
export interface FileContent {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mimeType: string;
  readonly metadata: string | null;
}

/**
 * Writes a file of a thread: its bytes first, then its row.
 * @throws {HandlerError} `usage` over a limit, `conflict` where a folder has that name
 */
export async function writeThreadFile(
  context: Pick<RunContext, "engine">,
  id: string,
  { path, bytes, mimeType, metadata }: FileContent,
): Promise<FileRow> {
  const { store } = context.engine.ports;
  const known = store.file(id, path), rows = store.files(id);
  threadOf(store, id);
  if (path === "/" || known?.isDirectory) {
    throw new HandlerError("conflict", `${path} is a folder of the thread`);
  }
  const total = rows.reduce((sum, row) => sum + (row.path === path ? 0 : row.size), bytes.length);
  if (bytes.length > FILE_LIMITS.file || total > FILE_LIMITS.all || rows.length >= FILE_LIMITS.files) {
    throw new HandlerError(
      "usage",
      `${path} has ${bytes.length} bytes and would bring the thread to ${total} in ${rows.length + 1} files`,
      {
        hint:
          `a file has at most ${FILE_LIMITS.file} bytes, a thread ${FILE_LIMITS.all} in ${FILE_LIMITS.files} files`,
      },
    );
  }
  checkFolders(context, id, path);
  const place = onDisk(context, id, path);
  await ensureFolder(place.slice(0, place.lastIndexOf("/")));
  await writeAtomic(place, bytes, 0o644);
  const now = context.engine.now() * 1000;
  const row: FileRow = {
    thread: id,
    path,
    mimeType,
    size: bytes.length,
    isDirectory: false,
    metadata: metadata ?? known?.metadata ?? null,
    createdAt: known?.createdAt ?? now,
    updatedAt: now,
  };
  await context.engine.write("process", (tx, acts) => {
    acts.thread(tx, id);
    for (const folder of foldersOf(path)) {
      if (!tx.file(id, folder)) tx.putFile(folderRow(context, id, folder));
    }
    tx.putFile(row);
  });
  return row;
}

async function moved(context: RunContext, id: string, from: string, to: string): Promise<Json> {
  const row = needed(context, id, from);
  if (row.isDirectory) {
    throw new HandlerError("usage", `state.moveFile: ${from} is a folder; files are moved one by one`);
  }
  if (to === "/" || fileRow(context, id, to)) {
    throw new HandlerError("conflict", `the thread has a file ${to} already`);
  }
  checkFolders(context, id, to);
  const place = onDisk(context, id, to);
  await ensureFolder(place.slice(0, place.lastIndexOf("/")));
  await rename(onDisk(context, id, from), place);
  const target = { ...row, path: to, updatedAt: context.engine.now() * 1000 };
  await context.engine.write("process", (tx) => {
    tx.removeFile(id, from);
    for (const folder of foldersOf(to)) if (!tx.file(id, folder)) tx.putFile(folderRow(context, id, folder));
    tx.putFile(target);
  });
  return record(target);
}

/** @throws {HandlerError} `conflict` where what would be a folder of the path is a file */
function checkFolders(context: Pick<RunContext, "engine">, id: string, path: string): void {
  const { store } = context.engine.ports;
  for (const folder of foldersOf(path)) {
    const known = store.file(id, folder);
    if (known && !known.isDirectory) throw new HandlerError("conflict", `${folder} is a file of the thread`);
  }
}

function onDisk(context: Pick<RunContext, "engine">, id: string, path: string): string {
  return `${context.engine.ports.filesFolder}/${id}${path}`;
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split("/").slice(1, -1);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`);
}

function folderRow(context: Pick<RunContext, "engine">, thread: string, path: string): FileRow {
  const now = context.engine.now() * 1000;
  return {
    thread,
    path,
    mimeType: "inode/directory",
    size: 0,
    isDirectory: true,
    metadata: null,
    createdAt: now,
    updatedAt: now,
  };
}

function fileRow(context: RunContext, id: string, path: string): FileRow | undefined {
  return context.engine.ports.store.file(id, path);
}

function needed(context: RunContext, id: string, path: string): FileRow {
  const row = fileRow(context, id, path);
  if (!row) throw new HandlerError("not_found", `the thread ${id} has no file ${path}`);
  return row;
}

async function readWhole(context: RunContext, row: FileRow): Promise<Uint8Array> {
  const folder = `${context.engine.ports.filesFolder}/${row.thread}`;
  await using file = await openInside(folder, row.path.slice(1));
  const parts: Uint8Array[] = [];
  for await (const part of file.chunks()) parts.push(part.slice());
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function bytesOf(content: Json | undefined): Uint8Array {
  if (typeof content === "string") return utf8(content);
  if (isObject(content) && typeof content["$base64"] === "string") return fromBase64(content["$base64"]);
  throw new HandlerError("usage", "state.writeFile: the content is a text or an ArrayBuffer");
}

function record(row: FileRow): { readonly [key: string]: Json } {
  return {
    path: row.path,
    name: row.path.slice(row.path.lastIndexOf("/") + 1),
    mimeType: row.mimeType,
    storage: "local",
    size: row.size,
    isDirectory: row.isDirectory,
    ...row.metadata !== null && { metadata: JSON.parse(row.metadata) },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
