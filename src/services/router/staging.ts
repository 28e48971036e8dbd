import { HandlerError, newId } from "../../base/mod.ts";
import {
  ensureFolder,
  openInside,
  placeAll,
  removeQuietly,
  stageFile,
  stageInside,
  type WaitingFile,
} from "../../platform/mod.ts";
import type { FilePlace } from "../../schema/mod.ts";
import { CallFailure } from "./failure.ts";
import { mediaTypeOf } from "./media.ts";

/** What staging needs to know of a call. */
export interface StagingContext {
  /** The caller's work folder. */
  readonly scope: string;
  /** The folder that the connector sees as HANDLER_CONNECTOR_FILES. */
  readonly folder: string;
  readonly maxFileBytes: number;
  readonly maxOutputBytes: number;
  /** Whether the interface has a code of its own for a file over the limit. */
  readonly tooLarge: string | undefined;
}

/** A call's files on their way: the arguments with references in place of paths, and what is to be done after. */
export interface Staged extends AsyncDisposable {
  /** The arguments for the connector's wire. */
  readonly arguments: unknown;
  readonly bytesIn: number;
  /** Moves what the connector wrote to the paths that the caller named, all or none; returns the bytes. */
  deliver(): Promise<number>;
}

/**
 * Reads every input file into the connector's folder and puts `{ "$file", size, mediaType }` in its place, and
 * `{ "$output" }` in place of every output path. Paths and names never reach the connector.
 */
export async function stageFiles(
  context: StagingContext,
  given: unknown,
  places: readonly FilePlace[],
): Promise<Staged> {
  const copy = structuredClone(given);
  const staged: string[] = [];
  const outputs: Output[] = [];
  let bytesIn = 0;
  const dispose = async () => {
    await Promise.all(staged.map((path) => removeQuietly(path)));
  };
  try {
    await ensureFolder(`${context.folder}/in`, 0o755);
    await ensureFolder(`${context.folder}/out`, 0o777);
    for (const { path, format, value: target } of places) {
      const id = newId();
      const direction = format === "handler-file" ? "in" : "out";
      const file = `${context.folder}/${direction}/${id}`;
      staged.push(file);
      if (direction === "out") {
        outputs.push({ file, target, key: path.join(".") });
        setAt(copy, path, { $output: id });
        continue;
      }
      const { size, mediaType } = await stageIn(context, target, file, path.join("."));
      bytesIn += size;
      setAt(copy, path, { $file: id, size, mediaType });
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    arguments: copy,
    bytesIn,
    deliver: () => deliver(context, outputs),
    [Symbol.asyncDispose]: dispose,
  };
}

async function stageIn(context: StagingContext, path: string, to: string, key: string) {
  try {
    await using file = await openInside(context.scope, path);
    if (file.size > context.maxFileBytes) throw tooLarge(context, key, file.size);
    const { head, size } = await stageFile(file.chunks(), to, context.maxFileBytes);
    return { size, mediaType: mediaTypeOf(head) };
  } catch (error) {
    throw fileFailure(context, error, key);
  }
}

function fileFailure(context: StagingContext, error: unknown, key: string): unknown {
  if (!(error instanceof HandlerError)) return error;
  if (error.kind === "conflict") return tooLarge(context, key, context.maxFileBytes + 1);
  if (error.kind === "denied" || error.kind === "not_found") {
    return new CallFailure("invalid_input", `${key}: ${error.message}`, `${key}: ${error.kind}`);
  }
  return error;
}

function tooLarge(context: StagingContext, key: string, size: number): CallFailure {
  const rule = `maxFileBytes is ${context.maxFileBytes}`;
  if (context.tooLarge) {
    return new CallFailure("too_large", context.tooLarge, `${key}: ${size} bytes, ${rule}`);
  }
  return new CallFailure(
    "limit",
    `${key}: the file has more bytes than maxFileBytes allows (${context.maxFileBytes})`,
  );
}

interface Output {
  readonly file: string;
  readonly target: string;
  readonly key: string;
}

async function deliver(context: StagingContext, outputs: readonly Output[]): Promise<number> {
  await using waiting = new AsyncDisposableStack();
  const files = new Map<WaitingFile, string>();
  for (const output of outputs) files.set(waiting.use(await beside(context, output)), output.key);
  await placeAll([...files.keys()], (file, error) => fileFailure(context, error, files.get(file)!));
  return [...files.keys()].reduce((sum, { size }) => sum + size, 0);
}

/** The connector's folder is as little trusted as the caller's: its file is opened in the same proving way. */
async function beside(context: StagingContext, { file, target, key }: Output): Promise<WaitingFile> {
  let produced: Awaited<ReturnType<typeof openInside>>;
  try {
    produced = await openInside(`${context.folder}/out`, file);
  } catch (error) {
    const why = error instanceof HandlerError ? error.kind : "unreadable";
    throw new CallFailure("unavailable", "the service gave no output file", `${key}: output ${why}`);
  }
  await using opened = produced;
  if (opened.size > context.maxOutputBytes) {
    throw new CallFailure(
      "limit",
      `${key}: the output has more bytes than maxOutputBytes (${context.maxOutputBytes})`,
    );
  }
  try {
    return await stageInside(context.scope, target, opened.chunks());
  } catch (error) {
    throw fileFailure(context, error, key);
  }
}

function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce((at, part) => (at as Record<string | number, unknown>)[part], root);
}

function setAt(root: unknown, path: readonly (string | number)[], value: unknown): void {
  const parent = valueAt(root, path.slice(0, -1)) as Record<string | number, unknown>;
  parent[path[path.length - 1]!] = value;
}
