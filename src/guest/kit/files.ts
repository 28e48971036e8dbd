import { isObject } from "../../base/mod.ts";
import { encodeBase64 } from "./base64.ts";

/** A file that the caller handed over. Its name and path are not known here. */
export interface HandlerFile {
  readonly kind: "file";
  /** Bytes. */
  readonly size: number;
  /** What Handler took it for; look at the bytes where it matters ({@linkcode sniff}). */
  readonly mediaType: string;
  /** The whole file. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** The file in pieces, for one that is passed on; read it to its end or cancel it. */
  stream(): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** The whole file as standard base64 with padding. */
  base64(): Promise<string>;
}

/** A file that the caller wants written. It reaches the caller's folder only when the call succeeds. */
export interface HandlerOutput {
  readonly kind: "output";
  /** Writes the whole file; a second time replaces the first. */
  write(content: Uint8Array | string | ReadableStream<Uint8Array>, mediaType: string): Promise<void>;
}

/** What was written to one output. */
export interface WrittenOutput {
  readonly mediaType: string;
  readonly size: number;
}

/** A call's input with its files opened up, and what became of its outputs. */
export interface OpenedInput {
  readonly value: unknown;
  readonly files: readonly HandlerFile[];
  /** By id; filled while the handler runs. */
  readonly written: ReadonlyMap<string, WrittenOutput>;
}

/** Replaces `{"$file"}` and `{"$output"}` anywhere in an input by objects with methods. */
export function openInput(input: unknown, folder: string, signal: AbortSignal): OpenedInput {
  const files: HandlerFile[] = [];
  const written = new Map<string, WrittenOutput>();
  const open = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(open);
    if (!isObject(value)) return value;
    if (typeof value["$file"] === "string") {
      const file = handlerFile(value, `${folder}/in/${checkedId(value["$file"])}`);
      files.push(file);
      return file;
    }
    if (typeof value["$output"] === "string") {
      const id = checkedId(value["$output"]);
      return handlerOutput(`${folder}/out/${id}`, signal, (what) => written.set(id, what));
    }
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, open(part)]));
  };
  return { value: open(input), files, written };
}

/** An id names a file of the staging folder and nothing else. */
function checkedId(id: string): string {
  if (/^[A-Za-z0-9_-]{1,128}$/.test(id)) return id;
  throw new TypeError("a file's id may only have letters, digits, '-' and '_'");
}

function handlerFile(value: { [key: string]: unknown }, path: string): HandlerFile {
  const bytes = () => Deno.readFile(path);
  return {
    kind: "file",
    size: typeof value["size"] === "number" ? value["size"] : 0,
    mediaType: typeof value["mediaType"] === "string" ? value["mediaType"] : "application/octet-stream",
    bytes,
    stream: async () => (await Deno.open(path)).readable,
    base64: async () => encodeBase64(await bytes()),
  };
}

function handlerOutput(
  path: string,
  signal: AbortSignal,
  written: (what: WrittenOutput) => void,
): HandlerOutput {
  return {
    kind: "output",
    async write(content, mediaType) {
      signal.throwIfAborted();
      const stream = content instanceof ReadableStream ? content : new Response(content as BodyInit).body;
      using file = await Deno.open(path, { write: true, create: true, truncate: true });
      let size = 0;
      for await (const chunk of stream ?? []) {
        signal.throwIfAborted();
        for (let at = 0; at < chunk.length;) at += await file.write(chunk.subarray(at));
        size += chunk.length;
      }
      written({ mediaType, size });
    },
  };
}
