import { HandlerError } from "../base/mod.ts";
import { openInside } from "../platform/mod.ts";
import type { FileRow, StoreSnapshot, ThreadChange } from "../store/mod.ts";
import type { ThreadsPorts } from "./ports.ts";
import { toBase64 } from "./state/base64.ts";
import { FORMAT, writeLine } from "./transfer_lines.ts";

const PAGE = 500;

/**
 * A thread and its children as JSON lines, as they are in one moment: a first line with the format, then every row, then
 * one that says how many there were. Values of secret variables stay behind.
 */
export async function* exportThread(ports: ThreadsPorts, id: string): AsyncGenerator<string> {
  using rows = ports.store.snapshot();
  if (!rows.thread(id)) throw new HandlerError("not_found", `there is no thread ${id}`);
  yield JSON.stringify({ format: FORMAT, thread: id });
  let lines = 0;
  for (const thread of family(rows, id)) {
    for await (const line of linesOf(ports, rows, thread)) {
      lines++;
      yield line;
    }
  }
  yield JSON.stringify({ end: true, lines });
}

/** A thread, then its children and theirs. */
function* family(rows: StoreSnapshot, id: string): Generator<string> {
  yield id;
  for (const child of rows.children(id)) yield* family(rows, child.id);
}

async function* linesOf(ports: ThreadsPorts, rows: StoreSnapshot, id: string): AsyncGenerator<string> {
  const thread = rows.thread(id);
  if (!thread) return;
  yield writeLine("thread", { ...thread });
  for (const session of rows.sessions(id)) yield writeLine("session", session);
  for (const change of changes(rows, id)) yield changeLine(change);
  for (const { key, value } of rows.values(id)) yield writeLine("value", { thread: id, key, value });
  for (const one of rows.env(id)) {
    yield writeLine("env", { thread: id, ...one, value: one.type === "secret" ? "" : one.value });
  }
  for (const effect of rows.pendingEffects(id)) yield writeLine("effect", effect);
  for (const file of rows.files(id)) yield writeLine("file", { ...file, bytes: await bytesOf(ports, file) });
}

/** Messages, turns and log rows in the order of their last change. */
function* changes(rows: StoreSnapshot, id: string): Generator<ThreadChange> {
  for (let after = 0;;) {
    const page = rows.changesAfter(id, after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.rev;
  }
}

function changeLine(change: ThreadChange): string {
  if (change.kind === "message") return writeLine("message", change.row);
  return change.kind === "turn" ? writeLine("turn", change.row) : writeLine("log", change.row);
}

async function bytesOf({ filesFolder }: ThreadsPorts, file: FileRow): Promise<string | null> {
  if (file.isDirectory) return null;
  await using opened = await openInside(`${filesFolder}/${file.thread}`, file.path.slice(1));
  const bytes = new Uint8Array(opened.size);
  let at = 0;
  for await (const part of opened.chunks()) {
    if (at + part.length > bytes.length) {
      throw new HandlerError("conflict", `${file.path} grew while it was read`);
    }
    bytes.set(part, at);
    at += part.length;
  }
  return toBase64(bytes.subarray(0, at));
}
