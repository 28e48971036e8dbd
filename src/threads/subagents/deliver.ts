import type { Json } from "../../base/mod.ts";
import { newId } from "../../base/mod.ts";
import type { RunContext } from "../state/context.ts";
import { FILE_METHODS } from "../state/files.ts";
import { MESSAGE_METHODS } from "../state/messages.ts";

/** A message for a child, with files of the thread that sends it. */
export interface ChildWord {
  readonly message: string;
  readonly attachments: readonly string[];
}

/** Gives a child a message as its user's; files are copied, and named as they are there. */
export async function deliver(context: RunContext, child: string, word: ChildWord): Promise<void> {
  const attachments = await copyFiles(context, context.thread, child, word.attachments);
  await MESSAGE_METHODS["queueMessage"]!(context, child, [
    { role: "user", content: word.message, ...attachments.length === 0 ? {} : { attachments } },
  ]);
}

/** Copies files from one thread to another. @returns their paths there */
export async function copyFiles(
  context: RunContext,
  from: string,
  to: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const copies: string[] = [];
  for (const path of paths) {
    const content = await FILE_METHODS["readFile"]!(context, from, [path]) as Json;
    const mimeType = context.engine.ports.store.file(from, path)?.mimeType ?? "application/octet-stream";
    const copy = freePath(context, to, path);
    await FILE_METHODS["writeFile"]!(context, to, [copy, content, mimeType]);
    copies.push(copy);
  }
  return copies;
}

/** The same path under `/attachments/`, or one beside it where that is taken. */
function freePath({ engine }: RunContext, thread: string, path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const plain = `/attachments/${name}`;
  return engine.ports.store.file(thread, plain) ? `/attachments/${newId(engine.now())}-${name}` : plain;
}
